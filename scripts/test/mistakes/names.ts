/** Names that the declaration does not have: the compiler finds them where it knows the names, the engine where it is written past it. */

import type { Mistake } from './commit.ts'

const RULES = 'game/rules.ts'
const LAYERS = /'"knight" \| "slime" \| "sword"/

/** In the game of the default template. */
export const nameMistakes: readonly Mistake[] = [
  {
    name: 'a misspelt layer in addShape',
    file: RULES,
    find: "addShape(boxes, sword, knight, 'sword')",
    replace: "addShape(boxes, sword, knight, 'swrod')",
    command: 'tsc',
    says: [/'"swrod"'/, LAYERS],
  },
  {
    name: 'a misspelt layer in addCircle',
    file: RULES,
    find: 'addCircle(boxes, knight)',
    replace: "addCircle(boxes, knight, 'kinght')",
    command: 'tsc',
    says: [/'"kinght"'/, LAYERS],
  },
  {
    name: 'a misspelt layer in between',
    file: RULES,
    find: "between: ['sword', 'slime']",
    replace: "between: ['sword', 'slimes']",
    command: 'tsc',
    says: [/'"slimes"'/, LAYERS],
  },
  {
    name: 'a misspelt layer in each',
    file: RULES,
    find: "of each(world, 'slime')) {",
    replace: "of each(world, 'slim')) {",
    command: 'tsc',
    says: [/'"slim"'/, LAYERS],
  },
  {
    name: 'a misspelt layer in spawn',
    file: RULES,
    find: "spawn(world, 'slime', {",
    replace: "spawn(world, 'slme', {",
    command: 'tsc',
    says: [/'"slme"'/, LAYERS],
  },
  {
    name: 'a misspelt column in spawn',
    file: RULES,
    find: 'hp: radius * 2, maxHp',
    replace: 'hp: radius * 2, maxHP',
    command: 'tsc',
    says: [/'maxHP' does not exist in type/, /mean to write 'maxHp'/],
  },
  {
    name: 'a misspelt column in a rule',
    file: RULES,
    find: 'knockback(knight, slime, 20)',
    replace: 'knight.invulnerableUntl = world.clock',
    command: 'tsc',
    says: [/'invulnerableUntl' does not exist on type 'RuleThing<Pit, "knight">'/, /Did you mean 'invulnerableUntil'/],
  },
  {
    name: 'a misspelt column of a player',
    file: RULES,
    find: 'scorer.score++',
    replace: 'scorer.scores++',
    command: 'tsc',
    says: [/'scores' does not exist on type 'Player<Pit>'/, /Did you mean 'score'/],
  },
  {
    name: 'a misspelt event',
    file: RULES,
    find: "eventsOf(world, 'kill')",
    replace: "eventsOf(world, 'kil')",
    command: 'tsc',
    says: [/'"kil"'/, /"damage" \| "kill"/],
  },
  {
    name: 'a misspelt global',
    file: RULES,
    find: '++globals.swings',
    replace: '++globals.swngs',
    command: 'tsc',
    says: [/Did you mean 'swings'/],
  },
  {
    name: 'a misspelt gate',
    file: RULES,
    find: "gates: ['dead', 'attacker-dead', 'invulnerable']",
    replace: "gates: ['dead', 'attacker-dead', 'invulnerabel']",
    command: 'tsc',
    says: [/'"invulnerabel"'/, /Did you mean '"invulnerable"'/],
  },
  {
    name: 'a misspelt layer in move',
    file: RULES,
    find: 'export const game = defineGame(declaration, {\n  phases: { steer,',
    replace:
      "import { move } from 'hurtbox/motion'\nexport const game = defineGame(declaration, {\n  phases: { glide: move(['slimes']), steer,",
    command: 'tsc',
    says: [/HasLayers<"slimes">/, /'slimes' is missing in type/],
    at: 'glide: move',
  },
  {
    name: 'a misspelt column in Object.assign, in a rule',
    file: RULES,
    find: 'protect(knight, world.tuning.protection)\n      },',
    replace: 'Object.assign(knight, { invulnerableUntl: world.clock + 60 })\n      },',
    command: 'check',
    says: [
      /no column of things "invulnerableUntl" to write to\. Did you mean "invulnerableUntil"\?/,
      /declared in things/,
    ],
  },
  {
    name: 'a misspelt column in Object.assign, in a phase',
    file: RULES,
    find: 'face(knight, moveX, moveY)',
    replace: 'Object.assign(knight, { swingEndAt: clock })',
    command: 'run',
    says: [/no column of things "swingEndAt" to write to\. Did you mean "swingEndsAt"\?/],
  },
  {
    name: 'a column of a player that was not declared',
    file: RULES,
    find: 'player.thing = spawn(',
    replace: 'Object.assign(player, { scroe: 1 })\n    player.thing = spawn(',
    command: 'check',
    says: [/no column of players "scroe" to write to\. Did you mean "score"\?/, /declared in players/],
  },
  {
    name: 'a global that was not declared',
    file: RULES,
    find: 'knight.swing = ++globals.swings',
    replace: 'Object.assign(globals, { swngs: 1 })',
    command: 'run',
    says: [/no global "swngs" to write to\. Did you mean "swings"\?/, /declared in globals/],
  },
]
