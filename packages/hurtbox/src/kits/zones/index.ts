/**
 * Hit zones: damage, armour and effects by the box that was met, and parts that break.
 *
 * @module hurtbox/zones
 */

export {
  defineZones,
  type Zone,
  type Zoned,
  type ZoneMeaning,
  type ZoneOptions,
  type ZoneSpec,
  type Zones,
} from './define.ts'
export { type Blow, hurtZone, isBroken, mendZone, poseZones, poseZonesInSpace } from './zones.ts'
