import { readModule } from 'hurtbox/module'
import { expect, test } from 'vitest'
import pit from '../../../../create-hurtbox/template/game/index.ts'
import { openStudio } from '../../../test/studio.ts'
import { worldOf } from '../../model/studio.ts'
import { type MeterCell, type MeterPhase, readCell, timerWords } from '../../sim/meter.ts'
import { exchangesOf, moveTable, runsOf, signed, toCsv, toJson } from './data.ts'

const PHASES: Readonly<Record<string, MeterPhase>> = {
  '.': 'idle',
  s: 'startup',
  a: 'active',
  r: 'recovery',
  x: 'stun',
  h: 'stop',
}

/** Cells from a line per player: a letter per tick. */
function meter(...lines: readonly string[]): MeterCell[] {
  return [...lines[0]].map((_, i) => ({
    tick: 10 + i,
    players: lines.map((line, seat) => ({
      seat,
      phase: PHASES[line[i]],
      move: line[i] === '.' || line[i] === 'x' ? '' : 'punch',
    })),
  }))
}

test('[LB6] runs have their length, and a move that begins before the last is over is a cancel', () => {
  const cells = meter('..ssaarr.')
  expect(runsOf(cells, 0).map(({ phase, from, to }) => [phase, from, to])).toEqual([
    ['idle', 10, 12],
    ['startup', 12, 14],
    ['active', 14, 16],
    ['recovery', 16, 18],
    ['idle', 18, 19],
  ])
  const chained = cells.map((cell) => ({ ...cell, players: cell.players.map((player) => ({ ...player })) }))
  Object.assign(chained[7].players[0], { phase: 'startup', move: 'punch 2' })
  expect(
    runsOf(chained, 0)
      .filter(({ isCancel }) => isCancel)
      .map(({ from, move }) => [from, move]),
  ).toEqual([[17, 'punch 2']])
  expect(runsOf(cells, 0).some(({ isCancel }) => isCancel)).toBe(false)
})

test('[LB6] an exchange names attacker, victim and move, and how much earlier the attacker is free, hit stop left out', () => {
  //                       10        20
  const [exchange] = exchangesOf(meter('..ssahhaarrrr...', '.....hhxxxxxxxx.'))
  expect(exchange).toMatchObject({ attacker: 0, victim: 1, move: 'punch', at: 15, from: 12, advantage: 2 })
  // A blow that lands in its first tick: hit stop comes before anything active is seen.
  expect(exchangesOf(meter('..sshhaarrrr...', '....hhxxxxxxxx.'))[0]).toMatchObject({
    attacker: 0,
    at: 14,
    advantage: 2,
  })
  const [late] = exchangesOf(meter('..ssaarrrr..', '....xxx.....'))
  expect(late.advantage).toBe(-3)
  // While somebody is not free it is not known.
  expect(exchangesOf(meter('..ssaarr', '....xxxx'))[0].advantage).toBeUndefined()
  expect(exchangesOf(meter('........', '....xxxx')), 'nobody struck').toEqual([])
  // Of two who strike, the one whose blow came last.
  expect(exchangesOf(meter('saaaaarr..', '...xxxx...', '..sarr....'))[0].attacker).toBe(2)
  expect([signed(3), signed(-3), signed(0)]).toEqual(['+3', '−3', '±0'])
})

test('[LB6] a game without moves has a meter of its timers and a table of its times, as CSV and JSON', async () => {
  const module = readModule({ default: pit }, 'pit')
  const table = moveTable(module)
  expect(table.rows).toContainEqual(['swing time', 12, 0.2])
  expect(toCsv(table).split('\n').slice(0, 2)).toEqual(['what,ticks,seconds', 'swing time,12,0.2'])
  expect(JSON.parse(toJson(table))).toContainEqual({ what: 'protection', ticks: 48, seconds: 0.8 })
  expect(toCsv({ about: '', columns: ['a'], rows: [['say "x", y']] })).toBe('a\n"say ""x"", y"\n')
  expect([timerWords('reloadUntil'), timerWords('nextShotAt')]).toEqual(['reload', 'next shot'])

  const { studio } = await openStudio(pit, 3, 400)
  const world = worldOf(studio)
  const { things } = world.tables
  const knight = world.tables.players.thing[0] as number
  const row = things.id.indexOf(knight)
  const phaseWith = (values: Readonly<Record<string, number>>) => {
    for (const name of ['swingEndsAt', 'invulnerableUntil']) things[name][row] = values[name] ?? 0
    things.hp[row] = values.hp ?? 50
    return readCell(module, world).players[0]
  }
  expect(phaseWith({})).toMatchObject({ seat: 0, phase: 'idle' })
  expect(phaseWith({ swingEndsAt: world.clock + 5 })).toMatchObject({ phase: 'recovery', move: 'swing ends' })
  expect(phaseWith({ swingEndsAt: world.clock + 5, invulnerableUntil: world.clock + 9 }).phase).toBe('invulnerable')
  expect(phaseWith({ hp: 0 }).phase).toBe('out')
})

test('[LB6] the timers that players used are counted, with how long they ran', async () => {
  const { studio, settled } = await openStudio(pit, 3, 600)
  const { show } = studio
  const uses = await settled(show.client.ask(show.sim, { ask: 'timers', from: 0, to: 600 }))
  const swings = uses.find(({ column }) => column === 'swingEndsAt')!
  // The template's swing lasts 0.2 s.
  expect(swings).toMatchObject({ least: 12, most: 12 })
  expect(swings.times).toBeGreaterThan(5)
  expect(uses.find(({ column }) => column === 'invulnerableUntil')).toMatchObject({ most: 48 })
})

test('[LB6] the meter of past ticks is that of the states themselves', async () => {
  const { studio, goTo, settled, module } = await openStudio(pit, 3, 200)
  const { show } = studio
  const cells = await settled(show.client.ask(show.sim, { ask: 'meter', from: 150, to: 190 }))
  expect(cells.map(({ tick }) => tick)).toEqual(Array.from({ length: 41 }, (_, i) => 150 + i))
  for (const tick of [150, 171, 190]) {
    await goTo(tick)
    expect(cells[tick - 150]).toEqual(readCell(module, worldOf(studio)))
  }
  expect(show.tick.value, 'looking moves nothing').toBe(190)
})
