import { test } from 'vitest'
import { expectContentPage } from '../../test/content.ts'
import { contentOf, type Knockback, SLOTS } from '../rules/content.ts'

/** `{ speed: 20, capsule: { radius: 1 } }` as `speed 20, capsule (radius 1)`; lists in brackets. */
function inWords(spec: object): string {
  return Object.entries(spec)
    .map(([name, value]) => {
      if (Array.isArray(value)) return `${name} [${value.join(', ')}]`
      return typeof value === 'object' && value !== null ? `${name} (${inWords(value)})` : `${name} ${value}`
    })
    .join(', ')
}

test('[SU40] CONTENT.md has the numbers of all abilities and their effects, for each kind of knockback', () => {
  const abilities = Object.entries(contentOf('impulse')).map(([name, { effects, ...timing }]) => ({ name, ...timing }))
  const effectsOf = (knockback: Knockback) =>
    Object.entries(contentOf(knockback)).flatMap(([ability, { effects }]) =>
      effects.map(({ on, ...rest }) => {
        const { step = '', ...does } = rest as { step?: unknown }
        return { ability, on, step, does: inWords(does) }
      }),
    )
  expectContentPage('sumo', "Sumo's content", {
    Abilities: abilities,
    'What a press starts': Object.entries(SLOTS).map(([press, starts]) => ({ press, starts })),
    'Effects: knockback as impulse': effectsOf('impulse'),
    'Effects: knockback as velocity': effectsOf('velocity'),
    'Effects: the document’s knockback': effectsOf('document'),
  })
})
