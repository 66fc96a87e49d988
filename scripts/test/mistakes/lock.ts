/** Mistakes with released rules, and tests that are red together. */

import type { Mistake } from './commit.ts'

export const lockMistakes: readonly Mistake[] = [
  {
    name: 'a rule that is edited after its version was released',
    file: 'game/rules.ts',
    find: 'knockback(knight, slime, 20)',
    replace: 'knockback(knight, slime, 21)',
    command: 'released',
    says: [/the rules are not those released as version 1: /, /Raise rulesVersion to 2\./],
    at: 'rulesVersion: 1',
  },
  {
    name: 'a number of the tuning that is edited after its version was released',
    file: 'game/rules.ts',
    find: 'slimeSpeed: tune(1.2,',
    replace: 'slimeSpeed: tune(1.3,',
    command: 'released',
    says: [/released as version 1: .*tuning/, /Raise rulesVersion to 2\./],
    at: 'rulesVersion: 1',
  },
  {
    name: 'chance from outside: check and a test are red, and the other test is run',
    file: 'game/rules.ts',
    find: 'hurt(slime, world.tuning.swordDamage, knight, combat.type.sword)',
    replace: 'hurt(slime, Math.random(), knight, combat.type.sword)',
    command: 'test',
    says: [
      /Math\.random is another number in every run/,
      /Use a named random stream of the world/,
      /✖ hurtbox check finds nothing/,
      /✖ every scene can be rolled back anywhere/,
      /✔ one swing hurts a slime once/,
    ],
  },
]
