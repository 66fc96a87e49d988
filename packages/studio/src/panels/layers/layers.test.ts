import { expect, test } from 'vitest'
import { game } from '../../../../create-hurtbox/template/game/index.ts'
import { layerRows } from './data.ts'

test('[LB1] the matrix has a row for each layer, and meeting is mutual', () => {
  const rows = layerRows(game.layers)
  expect(rows.map(({ name }) => name)).toEqual(['sword', 'slime', 'knight'])
  expect(rows.map(({ meets }) => meets)).toEqual([
    [false, true, false],
    [true, false, true],
    [false, true, false],
  ])
})
