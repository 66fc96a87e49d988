import { fingerprint } from 'hurtbox/replay'
import { startScene } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { sumo } from '../rules/index.ts'
import { scenes } from '../scenes/index.ts'

test('[SU34] abilities are part of the fingerprint', () => {
  type Content = { abilities: Record<string, Record<string, { recovery: number }>> }
  const content = structuredClone(sumo.declaration.content) as unknown as Content
  const withContent = () => fingerprint({ ...sumo, declaration: { ...sumo.declaration, content } } as never)
  expect(withContent()).toEqual(fingerprint(sumo))
  for (const kit of ['impulse', 'velocity', 'document']) {
    content.abilities[kit].uppercut.recovery++
    expect(withContent().parts.content, kit).not.toBe(fingerprint(sumo).parts.content)
    content.abilities[kit].uppercut.recovery--
  }
})

test('[SU35] statistics say how often every ability was used, and of those that can hit: hit, whiffed, ring-outs', () => {
  const { world } = startScene(scenes[0])
  const names = Object.keys(sumo.behaviour.stats!(world as never))
  for (const figure of ['used', 'hit', 'whiffed', 'ring-outs']) expect(names).toContain(`uppercut ${figure}`)
  expect(names).toContain('barrier used')
  expect(names).toHaveLength(1 + 9 + 3 * 6)
})
