/** Posing zones, and hurting a thing by the zone that was met. */

import { HurtboxError, unknownName } from '../../base/errors.ts'
import type { PlaneFrame } from '../../geometry/shapes/pose.ts'
import type { Shape } from '../../geometry/shapes/shape.ts'
import type { Volume } from '../../geometry/volumes/volume.ts'
import type { Boxes } from '../../rules/collide/boxes.ts'
import { addShape } from '../../rules/collide/shape-boxes.ts'
import { addVolume } from '../../rules/collide/volume-boxes.ts'
import { addRow, type RowsBase } from '../../state/table.ts'
import { requireHandle, worldOf } from '../../world/handles/require.ts'
import { type Hurtable, hurt } from '../combat/damage.ts'
import { inflict } from '../status/inflict.ts'
import type { Affected } from '../status/rows.ts'
import type { Zoned, Zones } from './define.ts'

type Frame = PlaneFrame & Zoned
type SpaceFrame = Parameters<typeof addVolume>[2] & Zoned

/** Makes a pose: the boxes of all zones where the thing is, as it faces. Other boxes of the thing come after them. */
export function poseZones(zones: Zones): (thing: Frame, boxes: Boxes) => void {
  return (thing, boxes) => {
    requireFirst(boxes)
    for (let i = 0; i < zones.list.length; i++) addShape(boxes, shapeOf(zones, thing, i) as Shape, thing)
  }
}

/** The same in space, of volumes. */
export function poseZonesInSpace(zones: Zones): (thing: SpaceFrame, boxes: Boxes) => void {
  return (thing, boxes) => {
    requireFirst(boxes)
    for (let i = 0; i < zones.list.length; i++) addVolume(boxes, shapeOf(zones, thing, i) as Volume, thing)
  }
}

function requireFirst(boxes: Boxes): void {
  if (boxes.count === 0 || boxes.owner[boxes.count - 1] !== boxes.posing) return
  throw new HurtboxError('bad-argument', 'zones are the first boxes of a thing: pose its others after them.')
}

function shapeOf({ list }: Zones, thing: Zoned, zone: number): Shape | Volume {
  const { shape, brokenShape, breaksAt } = list[zone]
  return breaksAt > 0 && thing.zoneDamage.get(zone) >= breaksAt ? brokenShape : shape
}

/** What hits: how hard, by what and with which damage type. */
export type Blow = {
  readonly amount: number
  readonly by?: { readonly id: number; readonly owner: number }
  readonly type?: number
}

/**
 * Hurts a thing where it was met: `box` is the `secondBox` of the hit. The zone multiplies, blocks, may inflict its effect and may break.
 * A box that is no zone is hurt as by `hurt`. Returns what health lost.
 */
export function hurtZone(zones: Zones, victim: Hurtable & Zoned, box: number, { amount, by, type = 0 }: Blow): number {
  if (victim.hp <= 0) return 0
  const zone = zones.list[box]
  if (zone === undefined) return hurt(victim, amount, by, type)
  const before = zone.breaksAt > 0 ? victim.zoneDamage.get(box) : 0
  const isBroken = zone.breaksAt > 0 && before >= zone.breaksAt
  const { damage, armour, inflicts } = isBroken ? zone.broken : zone.whole
  const blocked = armour.length === 0 ? 0 : armour[type]
  const taken = hurt(victim, Math.max(0, amount * damage * (1 - blocked)), by, type)
  if (zone.breaksAt > 0 && !isBroken) {
    const after = Math.min(before + amount, zone.breaksAt)
    victim.zoneDamage.set(box, after)
    if (after >= zone.breaksAt) tellBroken(victim, box, by === undefined ? 0 : by.id)
  }
  if (inflicts !== '') inflict(zones.status!, victim as unknown as Affected, inflicts, by === undefined ? {} : { by })
  return taken
}

function tellBroken(victim: Zoned, zone: number, by: number): void {
  const { zoneBroken: list } = worldOf(requireHandle(victim)).events as unknown as {
    readonly zoneBroken: RowsBase & { readonly [K in 'thing' | 'zone' | 'by']: Uint32Array }
  }
  const event = addRow(list)
  if (event < 0) return
  list.thing[event] = victim.id
  list.zone[event] = zone
  list.by[event] = by
}

/** Whether a zone of a thing is broken. */
export function isBroken<N extends string>(zones: Zones<N>, thing: Zoned, name: NoInfer<N>): boolean {
  const zone = zoneOf(zones, name)
  const { breaksAt } = zones.list[zone]
  return breaksAt > 0 && thing.zoneDamage.get(zone) >= breaksAt
}

/** Makes a zone whole again, or all of them. */
export function mendZone<N extends string>(zones: Zones<N>, thing: Zoned, name?: NoInfer<N>): void {
  const wanted = name === undefined ? -1 : zoneOf(zones, name)
  for (let i = 0; i < zones.list.length; i++) {
    if ((wanted < 0 || wanted === i) && thing.zoneDamage.get(i) !== 0) thing.zoneDamage.set(i, 0)
  }
}

function zoneOf({ names }: Zones, name: string): number {
  const zone = names.indexOf(name)
  if (zone < 0) throw unknownName('zone', name, names)
  return zone
}
