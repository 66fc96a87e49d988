/** What the server writes into its log at debug: the seed's structured line for every hit. */

export type HitEvent = {
  readonly victim: number
  readonly shooter: number
  readonly projectile: number
  readonly hpAfter: number
}

export type HitLogLine = {
  readonly victim_id: number
  readonly shooter_id: number
  readonly projectile_id: number
  readonly victim_hp: number
  readonly msg: 'player hit'
}

/** The log line of a `hit` event, with the names of the seed. */
export function hitLogLine({ victim, shooter, projectile, hpAfter }: HitEvent): HitLogLine {
  return { victim_id: victim, shooter_id: shooter, projectile_id: projectile, victim_hp: hpAfter, msg: 'player hit' }
}
