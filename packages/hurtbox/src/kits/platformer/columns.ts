/** What a body of a side view has besides what every thing has. A declaration spreads these into its own. */

export const platformer = {
  /** Columns of `things`, for the bodies and for the platforms that carry them. (x, y) is the middle of the box; y grows downwards. */
  columns: {
    halfWidth: 'f64',
    halfHeight: 'f64',
    /** 1 when the last move ended on something to stand on. */
    grounded: 'u8',
    /** The platform it stands on; 0 on the map and in the air. */
    standsOn: 'id',
    /** The side on which the last move was stopped by a wall: −1 left, 1 right, 0 none. */
    wallSide: 'f64',
    /** Until when a press is remembered, a jump still counts as from the ground, and floors from below are passed. */
    jumpWantedUntil: 'timer',
    jumpAllowedUntil: 'timer',
    dropUntil: 'timer',
    /** 1 while it rises by a jump that letting go cuts short. */
    jumping: 'u8',
  },
  events: {
    /** A platform has no room for a body in its way: `by` is the platform. Told in every tick in which it is so. */
    squashed: { thing: 'id', by: 'id' },
  },
} as const
