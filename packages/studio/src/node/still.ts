/**
 * What the front page shows of a game before its code is there: its words, and a still of a match.
 *
 * A page with many games would otherwise load all their rules to fill its cards. The still is the file `card.webp` (or .png, .svg)
 * beside the module, if there is one. Otherwise it is drawn when the page is built, by playing some seconds with bots: every thing as
 * the circle that it is to the rules. A real renderer draws the match as soon as somebody turns to the card.
 */

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { playerAt } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import { loadModule } from 'hurtbox/module/node'
import type { AnyWorld } from 'hurtbox/tools'
import { setupFor } from '../model/setup.ts'
import { playTick, startMatch } from '../sim/match.ts'

export type Card = {
  readonly title: string
  readonly about: string
  /** The file of a picture, if the game has one. */
  readonly picture: string | undefined
  /** Otherwise a picture as an address that holds it; '' where none could be made. */
  readonly still: string
}

const PICTURES = ['card.webp', 'card.png', 'card.svg']

/** How long is played, s, and with which seed: the same page comes from the same sources. */
const SECONDS = 30
const SEED = 7
/** Of the picture, px. */
const WIDTH = 400
const HEIGHT = 250
/** The first player's thing has this part of the width; the nearest things are enough to fill the picture. */
const OWN_PART = 1 / 16
const MOST_THINGS = 120
/** By team or owner. */
const COLOURS = ['#8f98ae', '#4cc9ff', '#ff5d73', '#ffd166', '#7ae582', '#c792ff', '#ff9f5a']

/** The card of a game; undefined for a game that can only be loaded in a browser. */
export async function cardOf(file: string): Promise<Card | undefined> {
  const module = await loadModule(file).catch(() => undefined)
  if (module === undefined) return undefined
  const { title, about, goal } = module
  const picture = PICTURES.map((name) => join(dirname(file), name)).find((each) => existsSync(each))
  return { title, about: about || goal, picture, still: picture === undefined ? stillOf(module) : '' }
}

function stillOf(module: LoadedModule): string {
  try {
    const match = startMatch(module, setupFor(module, SEED, -1))
    const ticks = SECONDS * module.game.declaration.tickRate
    for (let tick = 0; tick < ticks; tick++) playTick(match, undefined)
    return `data:image/svg+xml,${encodeURIComponent(drawStill(match.session.world))}`
  } catch {
    // A game that fails says so when it is opened.
    return ''
  }
}

function drawStill(world: AnyWorld): string {
  const { things } = world.tables
  const own = playerAt(world, 0)?.thing
  const rows = Array.from({ length: things.count }, (_, row) => row).filter(
    (row) => !(things.maxHp?.[row] > 0 && things.hp[row] <= 0),
  )
  const middle = own ?? middleOf(world, rows)
  const reach = own === undefined ? middle.radius : own.radius / OWN_PART
  const scale = WIDTH / 2 / Math.max(reach, 1e-9)
  const far = (row: number) => Math.hypot(things.x[row] - middle.x, things.y[row] - middle.y)
  const circles = rows
    .filter((row) => far(row) * scale < WIDTH)
    .sort((a, b) => far(a) - far(b) || a - b)
    .slice(0, MOST_THINGS)
    .map((row) => {
      const x = Math.round(WIDTH / 2 + (things.x[row] - middle.x) * scale)
      const y = Math.round(HEIGHT / 2 + (things.y[row] - middle.y) * scale)
      const radius = Math.max(2, Math.round(things.radius[row] * scale))
      const colour = COLOURS[(things.team?.[row] || things.layer[row] + 1) % COLOURS.length]
      return `<circle cx="${x}" cy="${y}" r="${radius}" stroke="${colour}" fill="${colour}33"/>`
    })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" stroke-width="2">${circles.join('')}</svg>`
}

/** The middle of all things, and how far it is to the farthest. */
function middleOf({ tables: { things } }: AnyWorld, rows: readonly number[]): { x: number; y: number; radius: number } {
  const [xs, ys] = [rows.map((row) => things.x[row]), rows.map((row) => things.y[row])]
  const between = (values: readonly number[]) => (Math.min(...values) + Math.max(...values)) / 2
  const [x, y] = rows.length === 0 ? [0, 0] : [between(xs), between(ys)]
  const radius = Math.max(
    1,
    ...rows.map((row) => Math.max(Math.abs(things.x[row] - x), Math.abs(things.y[row] - y) * 1.6)),
  )
  return { x, y, radius: radius * 1.1 }
}
