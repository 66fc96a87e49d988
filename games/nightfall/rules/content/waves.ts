/**
 * The enemies of each minute: one row per minute, the last for all minutes after it.
 *
 * There are two tables, both of the game that the seed document belongs to, to the number: `fourKinds` as it was at the time of
 * the document, `sevenKinds` what it grew into. The document itself has no waves. A newcomer reads: weight, hp, px per second, touch damage.
 */

import type { EnemyName } from './enemies.ts'

export type Minute = Readonly<{ perSecond: number; elite: number; mix: readonly Newcomer[] }>

export type Newcomer = readonly [name: EnemyName, weight: number, hp: number, speed: number, touch: number]

/** Of each minute: enemies per second, and the chance that one of them is an elite. */
const RATES = [
  [2, 0],
  [3, 0.05],
  [4, 0.08],
  [5, 0.1],
  [6, 0.12],
  [8, 0.15],
]

const fourKinds: readonly Minute['mix'][] = [
  [['zombie', 100, 10, 40, 5]],
  [
    ['zombie', 70, 12, 45, 5],
    ['fast', 30, 6, 80, 3],
  ],
  [
    ['zombie', 50, 15, 50, 6],
    ['fast', 35, 8, 90, 4],
    ['swarm', 15, 4, 60, 2],
  ],
  [
    ['zombie', 40, 18, 55, 7],
    ['fast', 30, 10, 100, 5],
    ['tank', 20, 50, 25, 15],
    ['swarm', 10, 5, 70, 2],
  ],
  [
    ['zombie', 35, 22, 60, 8],
    ['fast', 30, 12, 110, 6],
    ['tank', 25, 60, 30, 18],
    ['swarm', 10, 6, 80, 3],
  ],
  [
    ['zombie', 30, 25, 65, 10],
    ['fast', 30, 15, 120, 7],
    ['tank', 30, 70, 35, 20],
    ['swarm', 10, 8, 90, 4],
  ],
]

const sevenKinds: typeof fourKinds = [
  fourKinds[0],
  fourKinds[1],
  [
    ['zombie', 40, 15, 50, 6],
    ['fast', 30, 8, 90, 4],
    ['ranged', 20, 12, 30, 3],
    ['swarm', 10, 4, 60, 2],
  ],
  [
    ['zombie', 30, 18, 55, 7],
    ['fast', 25, 10, 100, 5],
    ['tank', 20, 50, 25, 15],
    ['ranged', 15, 14, 35, 4],
    ['shielded', 10, 20, 45, 8],
  ],
  [
    ['zombie', 30, 22, 60, 8],
    ['fast', 25, 12, 110, 6],
    ['tank', 20, 60, 30, 18],
    ['ranged', 12, 16, 40, 5],
    ['shielded', 10, 25, 50, 10],
    ['boss', 3, 150, 20, 25],
  ],
  [
    ['zombie', 25, 25, 65, 10],
    ['fast', 20, 15, 120, 7],
    ['tank', 20, 70, 35, 20],
    ['ranged', 15, 18, 45, 6],
    ['shielded', 12, 30, 55, 12],
    ['swarm', 5, 8, 90, 4],
    ['boss', 3, 200, 25, 30],
  ],
]

export const WAVES = { 'seven-kinds': minutes(sevenKinds), 'four-kinds': minutes(fourKinds) }

function minutes(mixes: typeof fourKinds): readonly Minute[] {
  return mixes.map((mix, i) => ({ perSecond: RATES[i][0], elite: RATES[i][1], mix }))
}
