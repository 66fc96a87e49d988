/** The places that a project can be put online at, besides those of its own compose.yaml. */

import { fly } from './fly.ts'
import { kubernetes } from './kubernetes.ts'
import type { DeployedProject } from './project.ts'
import { systemd } from './systemd.ts'

export type DeployOptions = {
  /** The name that players type. */
  readonly domain?: string
  /** What the image is called in a registry. */
  readonly image?: string
}

export type Target = {
  readonly project: DeployedProject
  readonly options: DeployOptions
}

export type Plan = {
  /** By path in the project. */
  readonly files: Readonly<Record<string, string>>
  /** What is typed next, line by line. */
  readonly next: readonly string[]
  /** Where the game is then. */
  readonly see: string
}

type Place = {
  plan(project: DeployedProject, options: DeployOptions): Plan
  /** Options without which its files would have names of an example in them. */
  readonly needs: readonly (keyof DeployOptions)[]
  /** It runs the image of the project's Dockerfile. */
  readonly isContainer: boolean
}

export const PLACES: Readonly<Record<string, Place>> = {
  fly: { plan: fly, needs: [], isContainer: true },
  systemd: { plan: systemd, needs: ['domain'], isContainer: false },
  kubernetes: { plan: kubernetes, needs: ['domain', 'image'], isContainer: true },
}
