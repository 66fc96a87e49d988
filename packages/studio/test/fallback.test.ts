import { fallbackView } from '@hurtbox/view/stage'
import { readModule } from 'hurtbox/module'
import { expect, test } from 'vitest'
import jetRaiders from '../../../games/jet-raiders/index.ts'
import { frameOf, type Moment, nonsense, play, record } from '../../../games/view/test/stage.ts'

test('[ST24] a game without a view is drawn as circles between two states, with the names its module gives', async () => {
  const module = readModule({ default: jetRaiders }, 'jet-raiders')
  const view = fallbackView(module)
  let moment: Moment | undefined
  play(module, module.scenes[0], 90, (each) => {
    moment = each
  })
  const { target, calls } = record()
  const drawing = await view.create(target)
  drawing.draw(frameOf(view, moment!, { alpha: 0.5 }))
  expect(nonsense(calls)).toEqual([])
  const names = calls.filter(({ name }) => name === 'fillText').map(({ values }) => values[0])
  expect(names).toContain('P1')
  expect(names).toHaveLength(moment!.after.tables.things.count)
  // The first ship is drawn half way between its two places.
  const [was, is] = [moment!.before.tables.things, moment!.after.tables.things]
  expect(is.x[0]).not.toBe(was.x[0])
  const drawnAt = calls.filter(({ name }) => name === 'arc').map(({ values }) => values[0] as number)
  expect(drawnAt.some((x) => Math.abs(x - (was.x[0] + is.x[0]) / 2) < 1e-9)).toBe(true)

  const small = record(true)
  ;(await view.create(small.target)).draw(frameOf(view, moment!))
  expect(small.calls.some(({ name }) => name === 'fillText')).toBe(false)
})
