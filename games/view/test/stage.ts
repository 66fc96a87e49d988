/** What the tests of views share: a canvas that records what is drawn, and matches to draw. */

import type { Drawing, Frame, Target, View } from '@hurtbox/view'
import { createWorld, type EventRecord, listEvents, restore, type Scene, snapshot, step } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import { placeBetween } from 'hurtbox/picture'
import { type AnyWorld, botInput, type Control, createEmptyWorld, type TickInputs } from 'hurtbox/tools'

// biome-ignore lint/suspicious/noExplicitAny: views of all games in one list.
export type AnyView = View<any>
export type Call = { readonly name: string; readonly values: readonly unknown[] }
export type Recording = { readonly target: Target; readonly calls: Call[] }

/** A canvas without pixels. Every call on its context, and every property set, is recorded in `calls`. */
export function record(isSmall = false): Recording {
  const calls: Call[] = []
  const context = recordingContext(calls)
  const canvas = {
    ownerDocument: { createElement: () => ({ width: 0, height: 0, getContext: () => recordingContext([]) }) },
    getContext: () => context,
  } as unknown as HTMLCanvasElement
  return { target: { element: {} as HTMLElement, canvas, context, isSmall, isWordless: isSmall }, calls }
}

function recordingContext(calls: Call[]): CanvasRenderingContext2D {
  const gradient = { addColorStop() {} }
  const results: Readonly<Record<string, unknown>> = {
    createRadialGradient: gradient,
    createLinearGradient: gradient,
    measureText: { width: 50 },
  }
  return new Proxy({} as CanvasRenderingContext2D, {
    get:
      (_, name: string) =>
      (...values: unknown[]) => {
        calls.push({ name, values })
        return results[name]
      },
    set(_, name: string, value: unknown) {
      calls.push({ name, values: [value] })
      return true
    },
  })
}

/** Calls with coordinates that are not finite, as text. */
export function nonsense(calls: readonly Call[]): string[] {
  return calls
    .filter(({ values }) => values.some((value) => typeof value === 'number' && !Number.isFinite(value)))
    .map(({ name, values }) => `${name}(${values.join(', ')})`)
}

export type Moment = { readonly before: AnyWorld; readonly after: AnyWorld; readonly events: readonly EventRecord[] }

/** Plays the first `ticks` of a scene, with bots where it has no inputs of its own, and passes every tick to `see`. */
export function play(module: LoadedModule, scene: Scene, ticks: number, see: (moment: Moment) => void): void {
  const { game, seed, options = {}, tuning = {} } = scene
  const world = createWorld(game, { seed, options, tuning } as never) as unknown as AnyWorld
  const before = createEmptyWorld(game, { seed, options, tuning } as never) as unknown as AnyWorld
  for (let tick = 0; tick < Math.min(ticks, scene.ticks); tick++) {
    restore(before, snapshot(world))
    step(world, (scene.inputs ?? botsOf(module))(tick, world))
    see({ before, after: world, events: listEvents(world) })
  }
}

function botsOf({ seats: count, teamOf, botOf }: LoadedModule): (tick: number, world: AnyWorld) => TickInputs {
  const seats = Array.from({ length: count }, (_, seat) => seat)
  return (tick, world) => {
    if (tick > 0) return { players: seats.map((seat) => ({ ...botInput(botOf(seat)!, world, seat, 1), seat })) }
    return { controls: seats.map((seat): Control => ({ control: 'join', seat, team: teamOf(seat) })) }
  }
}

/** A frame of 800 × 600 at the later of two states, unless `given` says otherwise. */
export function frameOf(view: AnyView, moment: Moment, given: Partial<Frame> = {}): Frame {
  const { minX, minY, maxX, maxY } = view.bounds(moment.after as never)
  const scale = Math.min(800 / (maxX - minX), 600 / (maxY - minY))
  return {
    before: moment.before as never,
    after: moment.after as never,
    events: moment.events,
    withdrawn: [],
    place: (id, out) => placeBetween({ alpha: 1, ...given, ...moment }, id, out),
    key: (id) => id,
    alpha: 1,
    jumped: false,
    seat: 0,
    nowMs: moment.after.tick * 16,
    elapsedMs: 16,
    width: 800,
    height: 600,
    pixelRatio: 1,
    camera: { x: (minX + maxX) / 2, y: (minY + maxY) / 2, scale, yUp: view.yUp ?? false },
    showFog: true,
    ...given,
  }
}

export function createDrawing(view: AnyView, target: Target): Drawing {
  return view.create(target) as Drawing
}
