import { fingerprint } from 'hurtbox/replay'
import { startScene } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { sumo } from '../rules/index.ts'
import { scenes } from '../scenes/index.ts'

test('[SU34] abilities are part of the fingerprint', () => {
  expect(fingerprint(sumo).parts).toHaveProperty('content')
  expect(JSON.stringify(sumo.declaration.content)).toContain('"uppercut"')
})

test('[SU35] statistics say how often every ability was used, and of those that can hit: hit, whiffed, ring-outs', () => {
  const { world } = startScene(scenes[0])
  const names = Object.keys(sumo.behaviour.stats!(world as never))
  for (const figure of ['used', 'hit', 'whiffed', 'ring-outs']) expect(names).toContain(`uppercut ${figure}`)
  expect(names).toContain('barrier used')
  expect(names).toHaveLength(1 + 9 + 3 * 6)
})
