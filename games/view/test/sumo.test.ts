import type { InputBinding } from '@hurtbox/view'
import { playerAt, players, snapshot, thing } from 'hurtbox'
import { readModule } from 'hurtbox/module'
import type { AnyWorld, InputSpec } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import exported from '../../sumo/index.ts'
import type { SumoWorld } from '../../sumo/rules/declaration.ts'
import { view } from '../../sumo/view/index.ts'
import { advanceNumbers } from '../../sumo/view/numbers.ts'
import { createStage, type SumoFrame, type SumoStage, showFrame } from '../../sumo/view/stage.ts'
import { frameOf, play, record } from './stage.ts'

const TICKS = process.env.HURTBOX_LONG ? 2000 : 220
const sumo = readModule({ default: exported }, 'sumo')
const phaseOf = (world: AnyWorld, seat: number) => {
  const player = playerAt(world, seat)
  return player === undefined ? undefined : sumo.meaning.phaseOf?.(player, world as never)
}
const sceneOf = (name: string) => sumo.scenes.find((scene) => scene.name === name)!
const bytesOf = (world: AnyWorld) => Buffer.from(snapshot(world).bytes).toString('latin1')

/** Everything in the scene that is somewhere, as numbers. */
function placesOf(stage: SumoStage): number[] {
  const numbers: number[] = []
  stage.scene.updateMatrixWorld()
  stage.scene.traverse((each) => {
    numbers.push(each.visible ? 1 : 0, ...each.matrixWorld.elements)
  })
  return numbers
}

describe('the view of sumo', () => {
  test.each(sumo.scenes.map((scene) => [scene.name, scene] as const))(
    '[VW1] shows scene %s without throwing, coordinates that are not finite, or changes to the world',
    (_, scene) => {
      const stage = createStage(record().target)
      play(sumo, scene, TICKS, (moment) => {
        const { tick } = moment.after
        const worlds = [moment.before, moment.after]
        const before = tick % 16 === 0 ? worlds.map(bytesOf) : undefined
        const frame = frameOf(view, moment, { alpha: (tick % 5) / 4, jumped: tick === 90, seat: (tick % 4) - 1 })
        showFrame(stage, frame as unknown as SumoFrame)
        for (const seat of [0, 99]) {
          view.hud?.(moment.after as never, seat)
          view.focus?.(moment.after as never, seat)
          phaseOf(moment.after, seat)
        }
        expect(placesOf(stage).every(Number.isFinite), `tick ${tick}`).toBe(true)
        if (before !== undefined) expect(worlds.map(bytesOf).join() === before.join(), `tick ${tick}`).toBe(true)
      })
      stage.dispose()
    },
  )

  test('[VW13] a window glows exactly in the ticks of the active phase, and the frame meter says so', () => {
    const stage = createStage(record().target)
    const phases: string[] = []
    play(sumo, sceneOf('dummy'), 330, (moment) => {
      showFrame(stage, frameOf(view, moment, { seat: 4 }) as unknown as SumoFrame)
      const isGlowing = stage.windows.used > 0
      const phase = phaseOf(moment.after, 4) ?? 'idle'
      phases.push(phase)
      // Within hit stop a window stays open and the meter stands still.
      expect(isGlowing, `tick ${moment.after.tick}, ${phase}`).toBe(phase === 'active')
    })
    expect(new Set(phases)).toEqual(new Set(['idle', 'startup', 'active', 'recovery']))
  })

  test('[VW16] the damage of a blow rises as a number from its victim, and is gone after a while', () => {
    const { target } = record()
    const stage = createStage(target)
    const shown = () =>
      stage.numbers.labels.filter(({ sprite }) => sprite.visible).map(({ said }) => said.split(' ')[0])
    let expected: string[] = []
    play(sumo, sceneOf('brawl'), 90, (moment) => {
      const frame = frameOf(view, moment, { elapsedMs: 15, jumped: false }) as unknown as SumoFrame
      showFrame(stage, frame)
      const blows = moment.events.filter(({ kind, taken }) => kind === 'damage' && Math.round(taken as number) > 0)
      if (blows.length > 0) expected = blows.map(({ taken }) => `−${Math.round(taken as number)}`)
      if (blows.length > 0) expect(shown()).toEqual(expect.arrayContaining(expected))
    })
    expect(expected.length).toBeGreaterThan(0)
    const [label] = stage.numbers.labels
    const height = label.sprite.position.z
    advanceNumbers(stage.numbers, 100)
    expect(label.sprite.position.z).toBeGreaterThan(height)
    advanceNumbers(stage.numbers, 1000)
    expect(shown()).toEqual([])
  })

  test('[VW17] the number of a blow that is withdrawn disappears', () => {
    const stage = createStage(record().target)
    const visible = () => stage.numbers.labels.filter(({ sprite }) => sprite.visible).length
    let tried = 0
    play(sumo, sceneOf('brawl'), 90, (moment) => {
      const blows = moment.events.filter(({ kind, taken }) => kind === 'damage' && Math.round(taken as number) > 0)
      const others = visible()
      showFrame(stage, frameOf(view, moment, { elapsedMs: 0 }) as unknown as SumoFrame)
      expect(visible()).toBe(others + blows.length)
      const taken = frameOf(view, { ...moment, events: [] }, { elapsedMs: 0, withdrawn: blows })
      showFrame(stage, taken as unknown as SumoFrame)
      expect(visible()).toBe(others)
      tried += blows.length
    })
    expect(tried).toBeGreaterThan(0)
  })

  test('[VW14] a figure stands where its fighter is, halfway between two states, and its pose depends on the state alone', () => {
    const [played, fresh] = [createStage(record().target), createStage(record().target)]
    play(sumo, sceneOf('brawl'), 60, (moment) => {
      const frame = frameOf(view, moment, { alpha: 0.5, events: [], jumped: true, nowMs: 0 }) as unknown as SumoFrame
      showFrame(played, frame)
      if (moment.after.tick !== 60) return
      showFrame(fresh, frame)
      const [was, is] = [moment.before, moment.after] as unknown as [SumoWorld, SumoWorld]
      for (const player of players(is)) {
        const later = player.thing!
        const earlier = thing(was, later.id)!
        const { x, y, z } = played.figures.get(later.id)!.group.position
        expect([x, y, z]).toEqual(
          [(earlier.x + later.x) / 2, (earlier.y + later.y) / 2, (earlier.z + later.z) / 2].map(near),
        )
        const fists = (stage: SumoStage) => stage.figures.get(later.id)!.fists.map(({ position }) => position.toArray())
        expect(fists(played)).toEqual(fists(fresh))
      }
    })
  })

  test('[VW5] controls bind fields of the input, each in its own kind, and no key is bound twice', () => {
    const specs = sumo.game.declaration.input as Readonly<Record<string, InputSpec>>
    const codes = Object.entries(view.controls.fields as Readonly<Record<string, InputBinding>>).flatMap(
      ([field, binding]) => {
        expect(specs[field]?.kind, field).toBe(binding.kind)
        if (binding.kind === 'axis') return [...(binding.less ?? []), ...(binding.more ?? [])]
        return binding.kind === 'press' ? (binding.keys ?? []) : []
      },
    )
    expect(new Set(codes).size).toBe(codes.length)
    expect(Object.keys(view.controls.fields).sort()).toEqual(Object.keys(specs).sort())
  })
})

const near = (value: number) => expect.closeTo(value, 9)
