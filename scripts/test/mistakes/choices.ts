/** Choices that are misspelt, or taken for numbers, where they are read, given and assigned. */

import type { Mistake } from './commit.ts'

const RULES = 'game/rules.ts'

/** Knights stand low or high, and bring a size along. */
const given: Mistake['given'] = [
  { file: RULES, find: '  axis,\n', replace: '  axis,\n  choice,\n' },
  {
    file: RULES,
    find: 'attack: press() },',
    replace: "attack: press(), stance: choice(['low', 'high']) },\n  join: { size: choice(['small', 'large']) },",
  },
]

/** In the game of the default template. */
export const choiceMistakes: readonly Mistake[] = [
  {
    name: 'a choice misspelt in a phase',
    given,
    file: RULES,
    find: 'face(knight, moveX, moveY)',
    replace: "if (playerOf(world, knight)?.stance === 'hgh') continue",
    command: 'tsc',
    says: [/'"high" \| "low" \| undefined' and '"hgh"' have no overlap/],
  },
  {
    name: 'a choice taken for a number in a rule',
    given,
    file: RULES,
    find: 'knockback(knight, slime, 20)',
    replace: 'if (playerOf(world, knight)?.stance === 1) knockback(knight, slime, 20)',
    command: 'tsc',
    says: [/'string \| undefined' and 'number' have no overlap/],
  },
  {
    name: 'a choice misspelt in onJoin',
    given,
    file: RULES,
    find: 'onJoin(world, player) {',
    replace: "onJoin(world, player, data) {\n    player.score = data?.size === 'lage' ? 1 : 0",
    command: 'tsc',
    says: [/'"large" \| "small" \| undefined' and '"lage"' have no overlap/],
    at: "data?.size === 'lage'",
  },
  {
    name: 'a choice misspelt where the page joins',
    given,
    file: 'client/main.ts',
    find: 'joinGame(SERVER, module, choices)',
    replace: "joinGame(SERVER, module, { ...choices, data: { size: 'lage' } })",
    command: 'tsc',
    says: [/Type '"lage"' is not assignable to type '"large" \| "small" \| undefined'\. Did you mean '"large"'\?/],
  },
  {
    name: 'a choice misspelt by a bot',
    given,
    file: 'game/bots.ts',
    find: 'return { moveX: dx / distance,',
    replace: "return { stance: 'hgh', moveX: dx / distance,",
    command: 'tsc',
    says: [/"hgh"/, /"high" \| "low"/],
    at: 'think(',
  },
  {
    name: 'a choice misspelt by a bot where the compiler does not look',
    given,
    file: 'game/bots.ts',
    find: 'return { moveX: dx / distance,',
    replace: "return { ...{ stance: 'hgh' as never }, moveX: dx / distance,",
    command: 'run',
    says: [
      /bot "swordsman" of seat \d failed in tick \d+ with knight \d+: There is no choice of input stance "hgh"\. Known: high, low\./,
    ],
    at: 'think(',
  },
  {
    name: 'a bot presses half a time',
    file: 'game/bots.ts',
    find: 'SWORD_REACH ? 1 : 0',
    replace: 'SWORD_REACH ? 0.5 : 0',
    command: 'run',
    says: [
      /bot "swordsman" of seat \d failed in tick \d+ with knight \d+: input attack must be a whole number from 0 to 255/,
    ],
    at: 'think(',
  },
  {
    name: 'a choice misspelt where the compiler does not look',
    given,
    file: RULES,
    find: 'face(knight, moveX, moveY)',
    replace: "Object.assign(playerOf(world, knight)!, { stance: 'hgh' })",
    command: 'run',
    says: [/phase steer failed in tick \d+/, /There is no choice of stance "hgh"\. Known: high, low\./],
  },
  {
    name: 'a choice misspelt in a test',
    given,
    file: 'test/game.test.ts',
    find: 'attack: tick === 0 ? 1 : 0 }]',
    replace: "attack: tick === 0 ? 1 : 0, stance: 'hgh' }]",
    command: 'tsc',
    says: [/Type '"hgh"' is not assignable to type '"high" \| "low" \| undefined'\. Did you mean '"high"'\?/],
  },
]
