import { expect, test } from 'vitest'
import pit from '../../../../create-hurtbox/template/game/index.ts'
import { openStudio } from '../../../test/studio.ts'
import { saveReplay } from '../../model/proof.ts'
import { tellVerification } from './data.ts'

test('[LB1] a match that plays as recorded says so with its hash, one that does not says where', async () => {
  const { studio, settled } = await openStudio(pit, 3, 120)
  const { show } = studio
  const bytes = await settled(saveReplay(studio))
  const verified = await settled(show.client.ask(show.sim, { ask: 'verify', bytes }))
  expect(tellVerification(verified)).toBe(`✓ 120 ticks play as recorded, hash ${show.hash.value}`)
  expect(tellVerification({ ...verified, ok: false, mismatch: { message: 'tick 7: x is 1 here' } as never })).toBe(
    '✕ tick 7: x is 1 here',
  )
})
