/** The five collision tests of the document: orders of the second team, and which lines of the log they count. */

import type { Scene } from 'hurtbox'
import { playScene, startScene } from 'hurtbox/tools'
import { parseScript, scriptTeam } from '../bots/script.ts'
import type { Team } from '../bots/team.ts'
import { logLines } from '../log.ts'
import type { VinylWorld } from '../rules/declaration.ts'
import { ORDER_TEXTS } from './order-texts.ts'

export type CollisionTest = {
  readonly file: keyof typeof ORDER_TEXTS
  readonly about: string
  readonly turns: number
  readonly counts: (line: string) => boolean
}

export const TESTS: readonly CollisionTest[] = [
  {
    file: 'test1_ship_station_collision',
    about: 'Ship-Station Collision',
    turns: 20,
    counts: (line) => isContact(line) && line.includes('Test-1[') && line.includes('Test Station['),
  },
  {
    file: 'test2_station_laser_collision',
    about: 'Laser-Station Collision',
    turns: 20,
    counts: (line) => isLaser(line) && line.includes('Test Station['),
  },
  {
    file: 'test3_ship_ship_collision',
    about: 'Ship-Ship Collision',
    turns: 20,
    counts: (line) => isContact(line) && line.includes('Test-1[') && line.includes('Test-2['),
  },
  {
    file: 'test4_ship_asteroid_collision',
    about: 'Ship-Asteroid Collision',
    turns: 300,
    counts: (line) => isContact(line) && line.includes('Test-1[') && line.includes('[ASTEROID]'),
  },
  {
    file: 'test5_ship_laser_collision',
    about: 'Laser-Ship Collision',
    turns: 20,
    counts: (line) => isLaser(line) && line.includes('Test-1['),
  },
]

/** Ships at rest in their docks are noise. */
export function isContact(line: string): boolean {
  return line.startsWith('COLLISION_DETECTED') && !line.includes('[SHIP-ALREADY-DOCKED]')
}

export function isLaser(line: string): boolean {
  return line.startsWith('LASER_COLLISION')
}

/** The team that plays the orders of a test. */
export function orderTeam(file: CollisionTest['file']): Team {
  return scriptTeam(file, parseScript(ORDER_TEXTS[file]))
}

/** Plays a match and counts lines of its log. */
export function countLines(scene: Scene, counts: (line: string) => boolean): number {
  const session = startScene(scene)
  let count = 0
  for (let tick = 0; tick < scene.ticks; tick++) {
    playScene(scene, session, 1)
    for (const line of logLines(session.world as unknown as VinylWorld)) if (counts(line)) count++
  }
  return count
}
