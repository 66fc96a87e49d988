/** Harbour Brawl by simulated links: what its players are shown, compared with what happened. */

import { placeOnMirror, takeNews, thingsOnMirror } from '@hurtbox/netcode/client'
import { type LinkConditions, type SimulatedClient, simulate } from '@hurtbox/netcode/links'
import { listEvents } from 'hurtbox'
import { createPlace, planEvents } from 'hurtbox/picture'
import { brawler } from '../game/bots.ts'
import module from '../game/index.ts'

/** A round trip of 200 ms. */
const ROUGH: LinkConditions = { kind: 'datagram', latencyMs: 90, jitterMs: 20, loss: 0.05 }

export function playOnline(clients: number, ticks: number, seed: number) {
  const happened: string[] = []
  const confirmed = new Map<SimulatedClient, string[]>()
  const place = createPlace()
  let [pictures, notFinite] = [0, 0]
  function hear(client: SimulatedClient): void {
    const heard = confirmed.get(client) ?? []
    confirmed.set(client, heard)
    for (const { what, event } of takeNews(client.follower.mirror!.events)) {
      if (what === 'confirmed') heard.push(JSON.stringify(event))
    }
  }
  const report = simulate({
    ...{ game: module.game, bots: [brawler], clients, ticks, seed, link: ROUGH, host: { replay: false } },
    afterTick(host, all) {
      happened.push(...listEvents(host.world).map((event) => JSON.stringify(event)))
      if (host.world.tick > 1) return
      for (const { follower } of all) follower.mirror!.events.plans = planEvents(module.game, module.meaning?.events)
    },
    afterFrame(client) {
      const mirror = client.follower.mirror!
      hear(client)
      for (const { id } of thingsOnMirror(mirror)) {
        placeOnMirror(mirror, id, place)
        pictures++
        if (!Object.values(place).every((value) => typeof value !== 'number' || Number.isFinite(value))) notFinite++
      }
    },
  })
  for (const client of report.clients) hear(client)
  const lists = [...confirmed].map(([client, heard]) => {
    const { tick } = client.follower.mirror!.confirmed
    return { heard, due: happened.filter((text) => JSON.parse(text).tick < tick) }
  })
  return { lists, happened, pictures, notFinite, mismatches: report.mismatches }
}
