/**
 * Choices as words: `player.stance === 'low'`.
 *
 * In the column stands the place of the word in the list that was declared, one byte, and that is what is hashed, sent and recorded.
 * `choice` brings the accessors along, so that a game without choices does not carry them.
 */

import { unknownName } from '../../base/errors.ts'
import type { Accessors } from './classes.ts'
import { note, U8 } from './journal.ts'

/** The words of a column, and how handles read and write them. */
export type Words = { readonly names: readonly string[]; readonly accessors: WordAccessors }
type WordAccessors = (offset: number, column: string) => Accessors

export function wordsOf(names: readonly string[]): Words {
  const accessors: WordAccessors = (offset, column) => ({
    get() {
      return names[this.$u8[offset + this.$row]]
    },
    set(word) {
      this.$u8[offset + this.$row] = codeOfWord(names, word, column)
    },
    ruleGet() {
      return names[this.$journal.u8[offset + this.$row]]
    },
    ruleSet(word) {
      const at = offset + this.$row
      const code = codeOfWord(names, word, column)
      note(this.$journal, U8, at, this.$journal.u8[at])
      this.$journal.u8[at] = code
    },
  })
  return { names, accessors }
}

/** The place of a word in the list; `what` is the field or column that holds it. */
export function codeOfWord(names: readonly string[], word: unknown, what: string): number {
  const code = names.indexOf(word as string)
  if (code < 0) throw unknownName(`choice of ${what}`, String(word), names)
  return code
}
