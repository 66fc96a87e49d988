/** A studio without a page: the same model and the same simulation, in one process. */

import { fallbackView } from '@hurtbox/view/stage'
import { type LoadedModule, readModule } from 'hurtbox/module'
import { setupFor } from '../src/model/setup.ts'
import { createStudio, type Studio } from '../src/model/studio.ts'
import { createClient } from '../src/show/client.ts'
import { createShow, seekShow, whenReady } from '../src/show/show.ts'
import { createSimHost } from '../src/sim/host.ts'
import type { Response } from '../src/sim/protocol.ts'

export type OpenStudio = {
  readonly studio: Studio
  readonly module: LoadedModule
  /** Takes in at most so many of the answers that have come. */
  deliver(most?: number): Promise<void>
  /** Until the state before `tick` is shown. */
  goTo(tick: number): Promise<void>
  /** Waits for an answer, which needs deliveries. */
  settled<T>(promise: Promise<T>): Promise<T>
}

/** A match of bots on all seats, at a tick. Answers come when they are delivered, in order, as those of a worker do. */
export async function openStudio(exported: object, seed: number, tick: number): Promise<OpenStudio> {
  const module = readModule({ default: exported }, 'game')
  const waiting: Response[] = []
  let take: (response: Response) => void = () => {}
  const host = createSimHost({ load: async () => module, reply: (response) => waiting.push(structuredClone(response)) })
  const client = createClient({
    send: (request) => host.handle(structuredClone(request)),
    listen: (onResponse) => {
      take = onResponse
    },
    end() {},
  })
  const deliver = async (most = 1000) => {
    // What was sent is handled in turns of the event loop.
    for (let i = 0; i < 6; i++) await new Promise((resolve) => setImmediate(resolve))
    for (const response of waiting.splice(0, most)) take(response)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const show = createShow(client, module, setupFor(module, seed, -1), tick)
  const settled = async <T>(promise: Promise<T>): Promise<T> => {
    let isOpen = true
    const end = () => {
      isOpen = false
    }
    promise.then(end, end)
    while (isOpen) await deliver()
    return promise
  }
  await settled(whenReady(show))
  const studio = createStudio(module, fallbackView(module), show, -1)
  return {
    studio,
    module,
    deliver,
    settled,
    async goTo(target) {
      seekShow(show, target)
      for (let i = 0; i < 200 && (show.line.seeking || show.tick.value !== target); i++) await deliver()
    },
  }
}

/** Small whole numbers from a seed. */
export function chance(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return (state >>> 8) % below
  }
}
