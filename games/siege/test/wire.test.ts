/** Siege on the wire: what the fog hides does not reach the other side, in whatever form. */

import { roomConfigOf } from '@hurtbox/colyseus'
import { advanceTerminal, createTerminal, receiveAtTerminal } from '@hurtbox/netcode/client'
import { addPeer, createHost, receive, stepHost } from '@hurtbox/netcode/host'
import { each, findRow } from 'hurtbox'
import { loadModule } from 'hurtbox/module/node'
import { expect, test } from 'vitest'
import { compareUnseen, lastId, run, shownBy } from '../../../packages/netcode/test/terminals.ts'

test('[NC51] no id and no place of a unit that the fog hides reaches the other side', async () => {
  const module = await loadModule('siege')
  const { game, bots } = module
  const terminal = { ...roomConfigOf(module).terminal, every: 2, events: Object.keys(game.declaration.events) }
  const host = createHost(game, { seed: 4, bots, fill: 8, terminal, replay: false })
  const peer = addPeer(host, 0, 'terminal')
  const client = createTerminal(game, peer.outbox.shift()!)
  const { players } = host.world.tables
  let [hiddenUnits, numbers] = [0, 0]
  run(host, peer, client, 1100, () => {
    if (host.world.tick < 400 || host.world.tick % 20 > 0) return
    const side = players.team[0]
    const shown = shownBy(client)
    const known = new Set<number>(shown.tables.things.id.subarray(0, shown.tables.things.count))
    const places = new Set<string>()
    const { byThing } = host.terminal.histories.get(String(side))!.ids
    for (const thing of each(host.world)) {
      const isVisible: boolean = game.behaviour.visible!(host.world, side, thing)
      if (known.has(byThing.get(thing.id) ?? -1) !== isVisible)
        throw new Error(`thing ${thing.id} at tick ${host.world.tick}`)
      if (!isVisible) places.add(`${Math.round(thing.x)} ${Math.round(thing.y)}`)
    }
    hiddenUnits += places.size
    // No pair of neighbouring numbers of any row is the place of somebody hidden.
    for (const [t, rows] of client.frames.at(-1)!.tables.entries()) {
      const { values, name } = client.scheme.tables[t]
      for (const row of rows) {
        for (let i = 0; i < values.length; i++) {
          const { kind, step, column } = values[i]
          if (kind === 'id' && row.numbers[i] !== 0 && !known.has(row.numbers[i] >>> 0))
            throw new Error(`${name}.${column}`)
          if (kind !== 'float' || values[i + 1]?.kind !== 'float') continue
          numbers++
          const place = `${Math.round(row.numbers[i] * step)} ${Math.round(row.numbers[i + 1] * values[i + 1].step)}`
          // Homes of creatures are on everybody's map.
          if (places.has(place) && column !== 'homeX') throw new Error(`${name}.${column} reveals ${place}`)
        }
      }
    }
    // The terminal computes what it sees by itself.
    expect(shown.arrays.fog.some((cell: number) => cell === 1)).toBe(true)
  })
  expect(hiddenUnits).toBeGreaterThan(50)
  expect(numbers).toBeGreaterThan(10_000)
}, 180_000)

test('[NC54] casting, earning, buying and levelling up unseen changes no byte', async () => {
  const module = await loadModule('siege')
  const { game } = module
  const spawned: number[] = []
  const messages = [false, true].map((isBusy) => {
    const bot = {
      name: 'rival',
      about: 'casts at home, or does nothing',
      think: (_world: unknown, { seat }: { seat: number }) =>
        seat === 1 && isBusy ? { first: 1, second: 1, aim: { x: 0, y: 0 }, buy: 'blade' } : {},
    }
    const { hide = [] } = roomConfigOf(module).terminal ?? {}
    const terminal = { every: 2, hide, events: Object.keys(game.declaration.events) }
    const tuning = { firstWave: 600 }
    const teamOf = (seat: number) => 1 + (seat % 2)
    const host = createHost(game, { seed: 4, bots: [bot as never], fill: 2, terminal, tuning, teamOf, replay: false })
    const watcher = addPeer(host, 0, 'terminal')
    const client = createTerminal(game, watcher.outbox.shift()!)
    const { things, players } = host.world.tables
    const sent: Uint8Array[] = []
    const shown = new Set<number>()
    let shownAtFirst = 0
    for (let tick = 0; tick < 400; tick++) {
      stepHost(host)
      const rival = findRow(things, players.thing[1])
      expect(game.behaviour.visible!(host.world, players.team[0], rival)).toBe(false)
      if (isBusy) {
        players.gold[1] += 20
        players.earned[1] += 20
        players.lastHits[1]++
        players.xp[1] += 5
        things.level[rival] = 1 + Math.floor(tick / 50)
      }
      for (const message of watcher.outbox.splice(0)) {
        sent.push(message)
        receiveAtTerminal(client, message, (tick * 1000) / 30)
        for (const { id } of client.frames.at(-1)!.tables[0]) shown.add(id)
      }
      if (tick === 90) shownAtFirst = shown.size
      advanceTerminal(client, (tick * 1000) / 30, () => ({ second: tick % 100 === 99 ? 1 : 0, aim: { x: 0, y: 0 } }))
      for (const message of client.outbox.splice(0)) receive(host, watcher, message)
    }
    expect(client.stats.malformed).toBe(0)
    expect(shown.size, 'what the watcher casts is new in sight').toBeGreaterThan(shownAtFirst)
    spawned.push(lastId(host.world))
    return sent
  })
  compareUnseen(messages, spawned, 2)
}, 180_000)

test('[NC55] inputs that name a thing name it as the viewer knows it; what the viewer was never shown names nothing', async () => {
  const { game } = await loadModule('siege')
  const host = createHost(game, {
    seed: 4,
    tuning: { firstWave: 600 },
    teamOf: (seat) => 1 + (seat % 2),
    replay: false,
  })
  const peer = addPeer(host, 0, 'terminal')
  const client = createTerminal(game, peer.outbox.shift()!)
  const { things, players } = host.world.tables
  const play = (ticks: number, target: number) => {
    for (let i = 0; i < ticks; i++) {
      const now = (host.world.tick * 1000) / 30
      stepHost(host)
      for (const message of peer.outbox.splice(0)) receiveAtTerminal(client, message, now)
      advanceTerminal(client, now, () => ({ order: 'attack', target }))
      for (const message of client.outbox.splice(0)) receive(host, peer, message)
    }
  }
  play(10, 0)
  const shown = shownBy(client).tables.things
  // A tower of the other side, which everybody sees.
  const row = Array.from({ length: shown.count }, (_, i) => i).find((i) => shown.team[i] === 2)!
  const tower = Array.from({ length: things.count }, (_, i) => i).find(
    (i) =>
      things.team[i] === 2 && Math.abs(things.x[i] - shown.x[row]) < 0.1 && Math.abs(things.y[i] - shown.y[row]) < 0.1,
  )!
  play(20, shown.id[row])
  expect(players.target[0]).toBe(things.id[tower])
  // Ids of the match itself mean nothing here.
  const known = new Set<number>(shown.id.subarray(0, shown.count))
  const unknown = Math.max(...known) + 1
  play(20, unknown)
  expect(players.target[0]).toBe(0)
})
