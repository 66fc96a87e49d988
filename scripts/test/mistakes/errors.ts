/** Mistakes that throw while the match is played: function, tick, things, file and line are told by the command that plays. */

import type { Mistake } from './commit.ts'

const RULES = 'game/rules.ts'
const BOTS = 'game/bots.ts'
const MODULE = 'game/index.ts'

/** In the game of the default template. */
export const errorMistakes: readonly Mistake[] = [
  {
    name: 'a rule reads a part of something that is not there',
    file: RULES,
    find: 'knockback(slime, knight, world.tuning.swordPush)',
    replace: 'knockback(slime, thing(world, slime.owner)!, thing(world, slime.owner)!.radius)',
    command: 'run',
    says: [
      /rule "sword hits slime" of phase hits failed in tick \d+ with knight \d+ and slime \d+: /,
      /Cannot read properties of undefined \(reading 'radius'\)/,
    ],
  },
  {
    name: 'a rule throws after it has written',
    file: RULES,
    find: 'protect(knight, world.tuning.protection)\n      },',
    replace: "throw new Error('no shield left')\n      },",
    command: 'check',
    says: [/rule "slime hurts knight" of phase hits failed in tick \d+ with slime \d+ and knight \d+: no shield left/],
  },
  {
    name: 'a phase reads a part of something that is not there',
    file: RULES,
    find: 'else despawn(thing(world, victim)!)',
    replace: 'else thing(world, victim + 9999)!.hp = 0',
    command: 'run',
    says: [/phase bury failed in tick \d+: Cannot set properties of undefined \(setting 'hp'\)/],
  },
  {
    name: 'a phase throws, and a test of the project runs into it',
    file: RULES,
    find: 'face(knight, moveX, moveY)',
    replace: "if (world.tick > 2) throw new Error('lost')",
    command: 'test',
    says: [/phase steer failed in tick 3: lost/],
  },
  {
    name: 'a pose throws',
    file: RULES,
    find: 'addCircle(boxes, knight)',
    replace: 'addCircle(boxes, thing(knight as never, 7)!)',
    command: 'run',
    says: [/pose of knight of phase hits failed in tick 0 with knight \d+: /],
  },
  {
    name: 'a gate throws',
    file: RULES,
    find: "gates: ['dead'],",
    replace: "gates: ['dead', { name: 'shy', refuses: (_knight, slime) => thing(slime as never, 99)!.hp > 0 }],",
    command: 'run',
    says: [/gate "shy" of rule "sword hits slime" of phase hits failed in tick \d+ with knight \d+ and slime \d+: /],
  },
  {
    name: 'the length of once is looked up where nothing is',
    file: RULES,
    find: 'once: (_knight, _slime, { world }) => world.tuning.swingTime,',
    replace: 'once: (_knight, slime, { world }) => thing(world, slime.owner)!.swing,',
    command: 'run',
    says: [
      /once of rule "sword hits slime" of phase hits failed in tick \d+ with knight \d+ and slime \d+: .*reading 'swing'/,
    ],
  },
  {
    name: 'a bot throws',
    file: BOTS,
    find: 'if (distance === 0) return {}',
    replace: 'if (distance < 40) return { moveX: [slime].find(({ hp }) => hp < 0)!.x }',
    command: 'run',
    says: [/bot "swordsman" of seat \d failed in tick \d+ with knight \d+: .*reading 'x'/],
  },
  {
    name: 'a bot throws, and check plays it',
    file: BOTS,
    find: 'if (distance === 0) return {}',
    replace: "if (distance < 40) throw new RangeError('too near')",
    command: 'check',
    says: [/bot "swordsman" of seat \d failed in tick \d+ with knight \d+: too near/],
  },
  {
    name: 'onJoin throws',
    file: RULES,
    find: 'const [x, y] = [WIDTH / 2 + 40 * player.seat, HEIGHT / 2]',
    replace: 'const [x, y] = [WIDTH / 2 + 40 * player.thing!.x, HEIGHT / 2]',
    command: 'run',
    says: [/onJoin failed in tick 0: Cannot read properties of undefined \(reading 'x'\)/],
  },
  {
    name: 'the figures at the end throw',
    file: RULES,
    find: '[...players(world)].reduce((sum, { score }) => sum + score, 0)',
    replace: '[...players(world)].find(({ seat }) => seat === 9)!.score',
    command: 'run',
    says: [/stats failed in tick \d+: Cannot read properties of undefined \(reading 'score'\)/],
  },
  {
    name: 'the inputs of a scene throw',
    file: MODULE,
    find: 'inputs: playBots(swordsman, 2, 1),',
    replace: 'inputs: (tick, world) => ({ players: tick < 9 ? [] : [{ seat: world.tables.none.seat[0] }] }),',
    command: 'run',
    says: [/inputs of scene two-bots failed in tick 9: Cannot read properties of undefined/],
  },
  {
    name: 'a rule writes what is no number',
    file: RULES,
    find: 'knockback(slime, knight, world.tuning.swordPush)',
    replace: 'slime.hp = Math.sqrt(-1 - slime.hp)',
    at: 'const hits = collide(',
    command: 'run',
    says: [
      /rule "sword hits slime" of phase hits failed in tick \d+ with knight \d+ and slime \d+: things\.hp, .* must be a finite number/,
    ],
  },
  {
    name: 'a rule moves a thing by hand',
    file: RULES,
    find: 'knockback(knight, slime, 20)',
    replace: 'Object.assign(knight, { x: knight.x + 20 })',
    command: 'run',
    says: [
      /rule "slime hurts knight" of phase hits failed .*: x is frozen while rules decide\. Use push\(thing, dx, dy\)/,
    ],
  },
  {
    name: 'a rule about layers that never meet',
    file: RULES,
    find: "between: ['slime', 'knight'],",
    replace: "between: ['knight', 'knight'],",
    at: 'const hits = collide(',
    command: 'run',
    says: [
      /collide of phase hits failed: rule "slime hurts knight" is about layers knight and knight, which never meet\. List one/,
    ],
  },
  {
    name: 'more is spawned than the world holds, and the thing is used',
    file: RULES,
    find: "spawn(world, 'slime', { x, y, radius, hp: radius * 2, maxHp: radius * 2, invMass: 1 })",
    replace: "while (spawn(world, 'slime', { x, y, radius }).id > 0);\n  thing(world, 9999)!.hp = 1",
    at: 'thing(world, 9999)!.hp = 1',
    command: 'run',
    says: [/phase refill failed in tick 0: Cannot set properties of undefined \(setting 'hp'\)/],
  },
  {
    name: 'chance that is not the world’s',
    file: RULES,
    find: 'knockback(slime, knight, world.tuning.swordPush)',
    replace: 'knockback(slime, knight, 30 * Math.random())',
    command: 'check',
    says: [/Math\.random/],
  },
  {
    name: 'a value of a column that does not hold it',
    file: RULES,
    find: "spawn(world, 'slime', { x, y, radius, hp: radius * 2, maxHp: radius * 2, invMass: 1 })",
    replace: "spawn(world, 'slime', { x, y, radius: -radius / 0, hp: radius * 2, maxHp: radius * 2, invMass: 1 })",
    command: 'run',
    says: [/phase refill failed in tick 0: .*radius/],
  },
]
