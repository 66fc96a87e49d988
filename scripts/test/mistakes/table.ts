/** All deliberate mistakes, and the five that AGENTS.md of a created project warns of. */

import { CHECK_MISTAKES } from './check.ts'
import type { Mistake } from './commit.ts'
import { ERROR_MISTAKES } from './errors.ts'
import { lockMistakes } from './lock.ts'

const misspelt: Mistake = {
  name: 'a name that was not declared',
  file: 'game/rules.ts',
  find: "each(world, 'slime')) {",
  replace: "each(world, 'slimes')) {",
  command: 'tsc',
  says: [/"?slimes"?/, /"slime"/],
}

export const mistakes: readonly Mistake[] = [misspelt, ...CHECK_MISTAKES, ...ERROR_MISTAKES, ...lockMistakes]

/** How AGENTS.md writes a command. */
export const WRITTEN: Readonly<Record<Mistake['command'], string>> = {
  tsc: 'npm run check',
  check: 'npx hurtbox check',
  released: 'npx hurtbox check',
  run: 'npx hurtbox run',
  test: 'npm test',
}
