/**
 * How a wrestler stands in each phase of each move: drawn back in startup, stretched out while it can hit, low in recovery.
 *
 * A player reads the phase from the whole figure: the trunk leans away from the blow, then into it; the front foot steps with the
 * fist; the trunk is low afterwards. Lengths are in m from the middle of the body.
 */

import { castOf, PHASE } from 'hurtbox/abilities'
import { abilitiesOf, type SumoThing, type SumoWorld } from '../rules/declaration.ts'

/** Ahead, to the side, up. */
type Fist = readonly [ahead: number, side: number, up: number]
/** Ahead of where it stands, and above it. */
type Foot = readonly [ahead: number, up: number]

export type Pose = {
  /** Of an attack; 0 at rest. */
  readonly phase: number
  /** Angle of the trunk, ahead. */
  readonly lean: number
  /** How much lower the trunk is. */
  readonly sink: number
  /** Left, then right. */
  readonly fists: readonly [Fist, Fist]
  readonly feet: readonly [Foot, Foot]
}

const both = (fist: Fist): readonly [Fist, Fist] => [fist, fist]

const REST: Fist = [0.5, 0.98, -0.05]
const GUARD: Fist = [0.7, 0.62, 0.3]
const STAND: readonly [Foot, Foot] = [
  [0, 0],
  [0, 0],
]

const AT_REST: Pose = { phase: 0, lean: 0, sink: 0, fists: [REST, REST], feet: STAND }
const HOLDS: Pose = {
  phase: 0,
  lean: 0.12,
  sink: 0.1,
  fists: both([1.15, 0.7, 0.5]),
  feet: STAND,
}

type Form = Omit<Pose, 'phase'>

/** The three phases of a move, in which the right fist and foot lead. */
type Move = { readonly startup: Form; readonly active: Form; readonly recovery: Form }

const BACK: readonly [Foot, Foot] = [
  [0.15, 0],
  [-0.4, 0],
]
const LUNGE: readonly [Foot, Foot] = [
  [-0.3, 0],
  [0.55, 0],
]
const WIDE: readonly [Foot, Foot] = [
  [0.1, 0],
  [-0.1, 0],
]

const PUNCH: Move = {
  startup: { lean: -0.16, sink: 0.06, fists: [GUARD, [-0.1, 1.0, 0.25]], feet: BACK },
  active: { lean: 0.24, sink: 0.1, fists: [REST, [1.75, 0.4, 0.35]], feet: LUNGE },
  recovery: { lean: 0.14, sink: 0.16, fists: [GUARD, [1.0, 0.75, 0.0]], feet: LUNGE },
}

const BOTH: Move = {
  startup: {
    lean: -0.2,
    sink: 0.1,
    fists: both([-0.05, 0.95, 0.2]),
    feet: BACK,
  },
  active: {
    lean: 0.28,
    sink: 0.12,
    fists: both([1.7, 0.42, 0.35]),
    feet: LUNGE,
  },
  recovery: {
    lean: 0.16,
    sink: 0.18,
    fists: both([0.95, 0.7, 0.05]),
    feet: LUNGE,
  },
}

const MOVES: Readonly<Record<string, Move>> = {
  punch: PUNCH,
  uppercut: {
    startup: { lean: 0.2, sink: 0.32, fists: [GUARD, [0.4, 0.7, -0.75]], feet: BACK },
    active: {
      lean: -0.12,
      sink: -0.12,
      fists: [REST, [0.85, 0.3, 1.45]],
      feet: [
        [-0.1, 0],
        [0.35, 0.14],
      ],
    },
    recovery: {
      lean: 0,
      sink: 0.08,
      fists: [GUARD, [0.75, 0.6, 0.8]],
      feet: [
        [-0.1, 0],
        [0.3, 0],
      ],
    },
  },
  /** A stamp: a leg goes up, then comes down. */
  shockwave: {
    startup: {
      lean: -0.1,
      sink: 0.05,
      fists: both([0.2, 1.0, 1.3]),
      feet: [
        [0, 0],
        [0.2, 0.75],
      ],
    },
    active: {
      lean: 0.3,
      sink: 0.34,
      fists: both([0.7, 0.75, -0.75]),
      feet: WIDE,
    },
    recovery: {
      lean: 0.2,
      sink: 0.26,
      fists: both([0.6, 0.85, -0.4]),
      feet: WIDE,
    },
  },
  fireball: BOTH,
  grab: {
    startup: {
      lean: -0.08,
      sink: 0.12,
      fists: both([0.5, 1.25, 0.4]),
      feet: BACK,
    },
    active: {
      lean: 0.26,
      sink: 0.12,
      fists: both([1.45, 0.75, 0.4]),
      feet: LUNGE,
    },
    recovery: {
      lean: 0.14,
      sink: 0.16,
      fists: both([1.0, 0.3, 0.1]),
      feet: LUNGE,
    },
  },
  throw: {
    startup: {
      lean: 0.1,
      sink: 0.24,
      fists: both([1.1, 0.6, 0.2]),
      feet: BACK,
    },
    active: {
      lean: -0.1,
      sink: -0.05,
      fists: both([1.3, 0.5, 1.3]),
      feet: LUNGE,
    },
    recovery: {
      lean: 0.12,
      sink: 0.1,
      fists: both([1.0, 0.6, 0.6]),
      feet: LUNGE,
    },
  },
  barrier: {
    startup: { lean: 0, sink: 0.1, fists: [GUARD, GUARD], feet: WIDE },
    active: {
      lean: -0.06,
      sink: 0.14,
      fists: [
        [1.0, 0.3, 0.55],
        [1.0, 0.3, 0.2],
      ],
      feet: WIDE,
    },
    recovery: { lean: 0, sink: 0.1, fists: [GUARD, GUARD], feet: WIDE },
  },
}

const FORMS: Readonly<Record<number, keyof Move>> = {
  [PHASE.startup]: 'startup',
  [PHASE.active]: 'active',
  [PHASE.recovery]: 'recovery',
}

export function poseOf(fighter: SumoThing, { options }: SumoWorld): Pose {
  const cast = castOf(fighter)
  const form = FORMS[cast?.phase ?? 0]
  if (cast === undefined || form === undefined) return fighter.holds === 0 ? AT_REST : HOLDS
  const name = abilitiesOf(options).names[cast.ability]
  // The third punch of a combo is one with both fists; the second is the first with the other one.
  const move = name === 'punch' && cast.step === 3 ? BOTH : MOVES[name]
  const shape = move?.[form] ?? AT_REST
  const { fists, feet } = shape
  const isLeft = name === 'punch' && cast.step === 2
  return {
    ...shape,
    phase: cast.phase,
    fists: isLeft ? [fists[1], fists[0]] : fists,
    feet: isLeft ? [feet[1], feet[0]] : feet,
  }
}
