import { playScene, startScene } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { parseScript, scriptTeam } from '../bots/script.ts'
import type { VinylOptions, VinylWorld } from '../rules/declaration.ts'
import { teamMatch } from '../scenes/team-match.ts'
import { playTrace } from '../trace/play.ts'
import { original } from './golden.ts'
import { seeded } from './support.ts'

/** A match plays two order files. */
const MATCHES = process.env.HURTBOX_LONG ? 50_000 : 60
const STARTS = process.env.HURTBOX_LONG ? 20_000 : 100

type Random = ReturnType<typeof seeded>
const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random(0, items.length * 0.999999))]

const NUMBERS = [
  '0',
  '-0',
  '1',
  '60',
  '-60',
  '3',
  '512',
  '1e3',
  '-1e3',
  '2147483',
  '1e9',
  '-1e308',
  'NaN',
  'Infinity',
  '',
  '.',
  '0x10',
  '1e-9',
  '0.0004',
  '-2.9999',
  '3.14159265',
]
const ORDERS = [
  'THRUST',
  'O_THRUST',
  'TURN',
  'LASER',
  'SHIELD',
  'JETTISON',
  'O_JETTISON',
  'WARP',
  '',
  'thrust',
  '__proto__',
]

function orderFile(random: Random): string {
  const lines: string[] = []
  for (let i = Math.floor(random(0, 24)); i > 0; i--) {
    if (random() < 0.1)
      lines.push(pick(random, ['# remark', '', 'prose', ',,,', ',,,,,', '\u0000', '0,1,THRUST', ' \t ']))
    else {
      const number = random() < 0.5 ? pick(random, NUMBERS) : String(random(-100, 100))
      lines.push(
        [
          pick(random, ['0', '1', '2', '3', '4', '-1', 'x']),
          String(Math.floor(random(0, 6))),
          pick(random, ORDERS),
          number,
        ].join(','),
      )
    }
  }
  return lines.join(pick(random, ['\n', '\r\n']))
}

/** The long variant takes its time. */
const TIMEOUT_MS = process.env.HURTBOX_LONG ? 3_600_000 : 60_000

const VARIANTS: readonly Partial<VinylOptions>[] = [
  {},
  { preset: 'original' },
  { legacyCollisionHandling: true },
  { legacyPhysics: true },
  { legacyMode: true },
  { preset: 'original', legacyMode: true },
  { legacyDocking: true, legacyAsteroidEatDamage: true },
  { spin: true, glancing: true, swept: true },
]

/** Nothing that is not a number, no mass and no fuel below nothing. */
function expectSound(world: VinylWorld, name: string): void {
  const { things } = world.tables
  for (let row = 0; row < things.count; row++) {
    for (const { name: column, array, width } of things.columns) {
      for (let i = row * width; i < (row + 1) * width; i++) {
        if (!Number.isFinite(array[i])) throw new Error(`${name}: ${column} of row ${row} is ${array[i]}`)
      }
    }
    const { fuel, cargo, mass, shield, vinyl, x, y } = things
    const isSound = fuel[row] >= 0 && cargo[row] >= 0 && mass[row] > 0 && shield[row] >= 0 && vinyl[row] >= 0
    const isInside = Math.abs(x[row]) <= 512 && Math.abs(y[row]) <= 512
    if (!isSound || !isInside)
      throw new Error(
        `${name}: row ${row} has ${JSON.stringify([fuel[row], cargo[row], mass[row], shield[row], vinyl[row], x[row], y[row]])}`,
      )
  }
}

describe('fuzz', () => {
  test(
    '[VF36] order files of any content: no throw, nothing that is not a number, nothing negative',
    () => {
      for (let seed = 1; seed <= MATCHES; seed++) {
        const random = seeded(seed)
        const scripts = [parseScript(orderFile(random)), parseScript(orderFile(random))]
        for (const { ship, value, kind, turn } of scripts.flatMap(({ orders }) => orders)) {
          const isSound = Number.isFinite(value) && ship >= 0 && ship < 4 && kind >= 0 && kind < 5 && turn >= 1
          expect(isSound, `seed ${seed}`).toBe(true)
        }
        const options = { ...VARIANTS[seed % VARIANTS.length], maxTurns: 6, vinyl: 8, uranium: 8 }
        const scene = teamMatch({
          name: 'fuzz',
          about: '',
          seed,
          teams: scripts.map((each) => scriptTeam('x', each)),
          options,
        })
        const session = startScene(scene)
        for (let tick = 0; tick < scene.ticks; tick++) {
          playScene(scene, session, 1)
          expectSound(session.world as unknown as VinylWorld, `seed ${seed} tick ${tick}`)
        }
      }
    },
    TIMEOUT_MS,
  )

  test(
    '[VF36] starts of any kind: same place, same velocity, no mass',
    () => {
      const template = original.find(({ scenario }) => scenario === 'ship_ship_headon')!
      for (let seed = 1; seed <= STARTS; seed++) {
        const random = seeded(seed)
        const value = (largest: number) => pick(random, [0, 0, 1e-12, largest, -largest, random(-largest, largest)])
        const things = template.frames[0].changed.map((thing) => {
          if (thing.kind === 'station' || thing.docked) return thing
          const place = random() < 0.5 ? { x: 0, y: 0 } : { x: value(40), y: value(511) }
          return {
            ...thing,
            ...place,
            speed: Math.abs(value(30)),
            heading: value(Math.PI),
            fuel: Math.abs(value(30)),
            cargo: Math.abs(value(30)),
            shield: Math.abs(value(20)),
            docked: false,
          }
        })
        const rocks = Array.from({ length: Math.floor(random(0, 4)) }, (_, n) => ({
          ...{
            i: 10 + n,
            kind: 'asteroid' as const,
            name: 'Rock',
            alive: true,
            orient: 0,
            size: 5,
            material: pick(random, ['vinyl', 'uranium', 'generic']),
          },
          ...{
            x: value(20),
            y: value(20),
            speed: Math.abs(value(30)),
            heading: value(Math.PI),
            mass: pick(random, [3, 1e-12, 40, 8.9, 9]),
          },
        }))
        const frames = [{ ...template.frames[0], changed: [...things, ...rocks] }]
        const orders = [
          { team: 1, ship: 0, turn: 1, order: 'LASER', value: 512 },
          { team: 0, ship: 0, turn: 1, order: 'THRUST', value: 60 },
        ]
        const mode = pick(random, ['new', 'legacych', 'legacy4', 'lphys', 'legacymode'])
        const preset = pick(random, ['document', 'original'])
        const played = playTrace({ ...template, frames, orders, mode, preset, turns: 2 })
        for (const thing of played.frames.flatMap(({ changed }) => changed)) {
          const numbers = Object.values(thing).filter((field) => typeof field === 'number')
          expect(numbers.every(Number.isFinite), `seed ${seed} ${preset} ${mode} ${JSON.stringify(thing)}`).toBe(true)
          expect(
            thing.mass > 0 && (thing.fuel ?? 0) >= 0 && (thing.cargo ?? 0) >= 0,
            `seed ${seed} ${preset} ${mode}`,
          ).toBe(true)
        }
      }
    },
    TIMEOUT_MS,
  )
})
