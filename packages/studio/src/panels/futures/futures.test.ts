import { players } from 'hurtbox'
import { diffWorlds } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import pit from '../../../../create-hurtbox/template/game/index.ts'
import { openStudio } from '../../../test/studio.ts'
import { findParting } from '../../model/futures.ts'
import { worldOf } from '../../model/studio.ts'
import { tune } from '../../model/tune.ts'
import { shownWorld } from '../../show/show.ts'
import { compareFutures } from './data.ts'

test('[LB2] the tick and the phase in which two futures part are named, and it is the first such tick', async () => {
  const { studio, goTo, settled, deliver } = await openStudio(pit, 5, 300)
  await goTo(100)
  await settled(tune(studio, 'swordDamage', 1))
  await settled(findParting(studio))
  const parting = studio.difference.value
  if (typeof parting === 'string') throw new Error(`parting: ${parting}`)
  expect(parting).toMatchObject({ phase: 'hits', cell: { table: 'things', column: 'hp' } })
  // One tick after another, by another way: nothing but the number differs before, and something after.
  const differs = async (tick: number) => {
    await goTo(tick)
    await deliver()
    const found = diffWorlds(worldOf(studio), shownWorld(studio.fork.value!), 64)
    return found.some(({ table, column }) => table !== '' || column !== 'tuning')
  }
  for (let tick = 101; tick <= parting.tick; tick += 7) expect(await differs(tick), `tick ${tick}`).toBe(false)
  expect(await differs(parting.tick)).toBe(false)
  expect(await differs(parting.tick + 1)).toBe(true)
})

test('[LB2] what the other future came to is told for each player', async () => {
  const { studio, goTo, settled, module } = await openStudio(pit, 5, 500)
  await goTo(100)
  await settled(tune(studio, 'swordDamage', 1))
  await goTo(500)
  const [was, wouldBe] = [worldOf(studio), shownWorld(studio.fork.value!)]
  const rows = compareFutures(module, was, wouldBe)
  expect(rows.map(({ seat }) => seat)).toEqual([0, 1])
  for (const { seat, cells } of rows) {
    const score = cells.find(({ what }) => what === 'score')!
    const scoreIn = (world: typeof was) => String([...players(world)].find((player) => player.seat === seat)?.score)
    expect(score).toMatchObject({
      was: scoreIn(was),
      wouldBe: scoreIn(wouldBe),
      isDifferent: score.was !== score.wouldBe,
    })
  }
  // A sword that hardly hurts kills less.
  expect(rows.some(({ cells }) => cells.some(({ what, isDifferent }) => what === 'score' && isDifferent))).toBe(true)
})
