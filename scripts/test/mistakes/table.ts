/** All deliberate mistakes, and how AGENTS.md of a created project writes the commands that find them. */

import { checkMistakes } from './check.ts'
import { choiceMistakes } from './choices.ts'
import type { Mistake } from './commit.ts'
import { errorMistakes } from './errors.ts'
import { lockMistakes } from './lock.ts'
import { nameMistakes } from './names.ts'

export const mistakes: readonly Mistake[] = [
  ...nameMistakes,
  ...choiceMistakes,
  ...checkMistakes,
  ...errorMistakes,
  ...lockMistakes,
]

export const WRITTEN: Readonly<Record<Mistake['command'], string>> = {
  tsc: 'npm run check',
  check: 'npx hurtbox check',
  released: 'npx hurtbox check',
  run: 'npx hurtbox run',
  test: 'npm test',
}
