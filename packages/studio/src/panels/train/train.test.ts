import { fallbackView } from '@hurtbox/view/stage'
import { readModule } from 'hurtbox/module'
import { expect, test } from 'vitest'
import pit from '../../../../create-hurtbox/template/game/index.ts'
import { setupFor } from '../../model/setup.ts'
import { buttonsOf, partnerOf } from './data.ts'

test('[LB1] the partner sits on the first other seat and can press what the game lets players press', () => {
  const module = readModule({ default: pit }, 'pit')
  const setup = setupFor(module, 1, 0)
  expect([partnerOf(setup, 0), partnerOf(setup, 1), partnerOf({ ...setup, seats: [] }, 0)]).toEqual([1, 0, undefined])
  expect(buttonsOf(fallbackView(module)).map(([name]) => name)).toEqual(['attack'])
})
