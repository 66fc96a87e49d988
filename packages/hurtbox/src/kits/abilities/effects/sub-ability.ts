/** Sub-abilities: one ability starts another. In a phase it starts at once, on a hit with the next tick. */

import { readFields, readWord } from '../check.ts'
import type { EffectRecord } from '../effect.ts'

export const ability: EffectRecord<{ readonly name: string }> = {
  happensOn: 'any',
  read(draft, value, place, { abilities }) {
    draft.what = abilities.indexOf(readWord(readFields(value, place, ['name']), 'name', place, abilities))
  },
  happen(effect, use) {
    use.subAbility = effect.what
  },
}
