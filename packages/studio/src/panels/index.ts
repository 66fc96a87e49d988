/**
 * The panels, in the order of their tabs. Each is a folder of its own with its data, its drawing and its test; a new one is a
 * folder and a line here.
 *
 * They are the same in the studio's page and over a page of one's own, and each is loaded when it is first opened.
 */

import type { ComponentType } from 'preact'
import type { Studio } from '../model/studio.ts'

export type PanelSpec = {
  readonly id: string
  readonly label: string
  /** Whether there is anything to show in this studio. Default: always. */
  offered?(studio: Studio): boolean
  load(): Promise<PanelModule>
}

/** What the file of a panel exports. Its styles are text, because the panel may stand in a page whose own must not change. */
export type PanelModule = { readonly Panel: ComponentType<{ studio: Studio }>; readonly css?: string }

/** The studio's own page plays the match; elsewhere it only looks into one. */
const playsHere = ({ page }: Studio) => page === undefined
/** A client that is only shown the match has no ticks to play again. */
const knowsInputs = ({ page }: Studio) => page?.kind !== 'is shown'

export const PANELS: readonly PanelSpec[] = [
  { id: 'inspect', label: 'Ask', load: () => import('./inspect/panel.tsx') },
  { id: 'events', label: 'Events', load: () => import('./events/panel.tsx') },
  { id: 'phases', label: 'Phases', offered: knowsInputs, load: () => import('./phases/panel.tsx') },
  {
    id: 'futures',
    label: 'Futures',
    offered: ({ fork }) => fork.value !== undefined,
    load: () => import('./futures/panel.tsx'),
  },
  { id: 'frames', label: 'Frames', load: () => import('./frames/panel.tsx') },
  { id: 'train', label: 'Train', offered: playsHere, load: () => import('./train/panel.tsx') },
  { id: 'tune', label: 'Tune', load: () => import('./tune/panel.tsx') },
  { id: 'measure', label: 'Measure', offered: knowsInputs, load: () => import('./measure/panel.tsx') },
  {
    id: 'network',
    label: 'Network',
    offered: ({ page }) => page !== undefined,
    load: () => import('./network/panel.tsx'),
  },
  { id: 'replay', label: 'Replay', load: () => import('./replay/panel.tsx') },
  { id: 'layers', label: 'Layers', load: () => import('./layers/panel.tsx') },
]
