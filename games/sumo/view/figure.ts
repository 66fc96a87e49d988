/**
 * A wrestler: a capsule with a belt and a topknot, arms and legs that show what it is doing.
 *
 * The body is exactly the capsule of the rules. What arms do follows from the running ability and its phase alone, so pausing
 * and stepping back show the right pose at every tick. Fists also tell the phase by their light: amber while a blow gathers, red
 * while it can hit, dull while it recovers.
 */

import { thing } from 'hurtbox'
import { castOf, PHASE } from 'hurtbox/abilities'
import type { Target } from 'hurtbox/module'
import {
  CapsuleGeometry,
  Color,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three'
import { nameOf } from '../../view/canvas.ts'
import type { Tween } from '../../view/tween.ts'
import { abilitiesOf, type SumoWorld } from '../rules/declaration.ts'
import { BODY } from '../rules/fighters.ts'
import { createLabel, type Label, setLabel } from './labels.ts'
import type { SumoFrame } from './stage.ts'

export type Figure = {
  readonly group: Group
  /** Turned to the facing; the label stays upright beside it. */
  readonly body: Group
  readonly fists: readonly [Mesh, Mesh]
  readonly arms: readonly [Mesh, Mesh]
  readonly feet: readonly [Mesh, Mesh]
  readonly hands: MeshStandardMaterial
  readonly stars: Group
  readonly shield: Mesh
  readonly skin: MeshStandardMaterial
  readonly label: Label
  /** Of its player; −1 for a dummy. */
  readonly seat: number
  readonly colour: string
  /** How long it still shines from a hit. */
  flashMs: number
  /** How long it has been out of the ring, 0 while it is in. The rules leave it where it lost; the view shows it fall. */
  outMs: number
}

/** Where arms begin, and how feet stand, from the middle of the body. */
const SHOULDER = { ahead: 0.1, side: 0.86, up: 0.5 } as const
const STANCE = 0.55
const FOOT_HEIGHT = -BODY.halfLength - BODY.radius + 0.18

/** Fists at rest, from the middle of the body: ahead, to the side, up. */
const REST = { ahead: 0.55, side: 1.02, up: 0.05 } as const

export function createFigure(target: Target, colour: string, seat: number): Figure {
  const group = new Group()
  const body = new Group()
  const skin = new MeshStandardMaterial({ color: 0xf4c9a0, roughness: 0.6 })
  const cloth = new MeshStandardMaterial({ color: new Color(colour), roughness: 0.5 })
  const dark = new MeshStandardMaterial({ color: 0x17141c, roughness: 0.7 })
  const add = (mesh: Mesh, x: number, y: number, z: number): Mesh => {
    mesh.position.set(x, y, z)
    mesh.castShadow = true
    body.add(mesh)
    return mesh
  }
  const capsule = add(new Mesh(new CapsuleGeometry(BODY.radius, BODY.halfLength * 2, 10, 24), skin), 0, 0, 0)
  capsule.rotation.x = Math.PI / 2
  capsule.receiveShadow = true
  add(new Mesh(new TorusGeometry(1.0, 0.2, 10, 32), cloth), 0, 0, -0.45)
  add(new Mesh(new SphereGeometry(0.32, 14, 10), cloth), 0.98, 0, -0.62)
  add(new Mesh(new SphereGeometry(0.62, 18, 12), dark), -0.12, 0, 1.12)
  add(new Mesh(new SphereGeometry(0.24, 12, 10), dark), -0.3, 0, 1.72)
  for (const side of [-1, 1]) {
    add(new Mesh(new SphereGeometry(0.15, 10, 8), new MeshBasicMaterial({ color: 0xffffff })), 0.86, side * 0.3, 0.78)
    add(new Mesh(new SphereGeometry(0.08, 8, 6), dark), 0.98, side * 0.3, 0.79)
  }
  const hands = new MeshStandardMaterial({ color: new Color(colour), roughness: 0.5 })
  const fist = (side: number) =>
    add(new Mesh(new SphereGeometry(0.36, 16, 12), hands), REST.ahead, side * REST.side, REST.up)
  const fists = [fist(1), fist(-1)] as const
  // One unit long, from the shoulder; stretched to the fist in every frame.
  const arm = (side: number) => add(new Mesh(new CylinderGeometry(0.2, 0.26, 1, 12), skin), 0, side * SHOULDER.side, 0)
  const arms = [arm(1), arm(-1)] as const
  const foot = (side: number) => add(new Mesh(new SphereGeometry(0.36, 14, 10), skin), 0.1, side * STANCE, FOOT_HEIGHT)
  const feet = [foot(1), foot(-1)] as const
  for (const each of feet) each.scale.set(1.35, 0.95, 0.6)
  const shield = new Mesh(
    new CapsuleGeometry(BODY.radius * 1.22, BODY.halfLength * 2, 8, 20),
    new MeshBasicMaterial({ color: 0x7fd4ff, transparent: true, opacity: 0.28, depthWrite: false }),
  )
  shield.rotation.x = Math.PI / 2
  const stars = createStars()
  const label = createLabel(target, 256, 96, 2.7, 1.0)
  label.sprite.position.set(0, 0, 2.55)
  group.add(body, shield, stars, label.sprite)
  return { group, body, fists, arms, feet, hands, stars, shield, skin, label, seat, colour, flashMs: 0, outMs: 0 }
}

function createStars(): Group {
  const stars = new Group()
  const material = new MeshBasicMaterial({ color: 0xffe96b })
  for (let star = 0; star < 3; star++) {
    const mesh = new Mesh(new SphereGeometry(0.13, 6, 4), material)
    const angle = (star / 3) * 2 * Math.PI
    mesh.position.set(Math.cos(angle) * 0.9, Math.sin(angle) * 0.9, 0)
    stars.add(mesh)
  }
  stars.position.z = 1.95
  return stars
}

/** Brings a figure to where its fighter is at this moment, at height `z`. */
export function poseFigure(figure: Figure, frame: SumoFrame, row: number, tween: Tween, z: number): void {
  const { after, elapsedMs, nowMs } = frame
  const { things } = after.tables
  const { clock } = after
  const { group, body, shield, stars, skin } = figure
  group.position.set(tween.x[row], tween.y[row], z)
  body.rotation.set(0, 0, Math.atan2(things.facingY[row], things.facingX[row]))
  const isLaunched = things.launchedUntil[row] > clock
  // Thrown, it tumbles backwards; running, it leans ahead.
  const ahead = things.vx[row] * things.facingX[row] + things.vy[row] * things.facingY[row]
  body.rotation.y = isLaunched
    ? Math.max(-0.9, Math.min(0.9, ahead * 0.07))
    : Math.max(-0.18, Math.min(0.22, ahead * 0.035))
  body.rotation.order = 'ZYX'
  figure.flashMs = Math.max(0, figure.flashMs - elapsedMs)
  skin.emissive.setScalar(figure.flashMs > 0 ? 0.85 * (figure.flashMs / 140) : 0)
  shield.visible = things.shield[row] > 0 && things.shieldUntil[row] > clock
  stars.visible = things.stunnedUntil[row] > clock
  stars.rotation.z = nowMs / 160
  fall(figure, things.out[row] !== 0, frame)
  const pace = Math.min(1, Math.hypot(things.vx[row], things.vy[row]) / 5)
  poseFists(figure, after, row, nowMs, pace)
  poseArms(figure)
  poseFeet(figure, nowMs, pace, isLaunched)
  const isHidden = figure.label.isSmall || things.out[row] !== 0
  figure.label.sprite.visible = !isHidden
  const name = figure.seat < 0 ? 'dummy' : nameOf(frame, figure.seat)
  if (!isHidden) setLabel(figure.label, name, figure.colour, things.hp[row] / things.maxHp[row])
}

const FALL_MS = 900

/** A fighter that is out drops to the ground beside the ring and disappears. After a jump in time it is gone at once. */
function fall(figure: Figure, isOut: boolean, { elapsedMs, jumped }: SumoFrame): void {
  const { group, body } = figure
  if (!isOut) figure.outMs = 0
  else figure.outMs = jumped ? FALL_MS : figure.outMs + elapsedMs
  const seconds = figure.outMs / 1000
  group.position.z -= Math.min(4.9 * seconds * seconds, 2.6)
  if (isOut) body.rotation.y -= seconds * 2.5
  group.visible = figure.outMs < FALL_MS
}

/** How far through its phase an ability is drawn: 0 gathers, 1 strikes. */
function strikeOf(phase: number): number {
  return phase === PHASE.active ? 1 : phase === PHASE.startup ? -0.35 : phase === PHASE.recovery ? 0.45 : 0
}

const UP = new Vector3(0, 1, 0)
/** Scratch: written before it is read. */
const reach = new Vector3()

/** Stretches the arms from the shoulders to the fists. */
function poseArms({ arms, fists }: Figure): void {
  arms.forEach((arm, i) => {
    const side = i === 0 ? SHOULDER.side : -SHOULDER.side
    reach.copy(fists[i].position)
    reach.x -= SHOULDER.ahead
    reach.y -= side
    reach.z -= SHOULDER.up
    const length = Math.max(0.01, reach.length())
    arm.scale.set(1, length, 1)
    arm.position.set(SHOULDER.ahead, side, SHOULDER.up).addScaledVector(reach, 0.5)
    arm.quaternion.setFromUnitVectors(UP, reach.multiplyScalar(1 / length))
  })
}

/** Feet walk with the speed of the body, and dangle in the air. */
function poseFeet({ feet }: Figure, nowMs: number, pace: number, isInAir: boolean): void {
  const stride = isInAir ? 0 : Math.sin(nowMs / 85) * 0.5 * pace
  feet.forEach((foot, i) => {
    const side = i === 0 ? 1 : -1
    const lift = isInAir ? -0.15 : Math.max(0, Math.cos(nowMs / 85) * side) * 0.22 * pace
    foot.position.set(0.1 - stride * side, STANCE * side, FOOT_HEIGHT + lift)
  })
}

/** The light of the fists in each phase of an attack. */
const GLOWS: Readonly<Record<number, number>> = {
  [PHASE.startup]: 0x7a4a00,
  [PHASE.active]: 0xd01818,
  [PHASE.recovery]: 0x000018,
}

function poseFists({ fists, hands }: Figure, world: SumoWorld, row: number, nowMs: number, pace: number): void {
  const fighter = thing(world, world.tables.things.id[row])!
  const cast = castOf(fighter)
  const swing = Math.sin(nowMs / 85) * 0.35 * pace
  const [left, right] = fists
  left.position.set(REST.ahead + swing, REST.side, REST.up)
  right.position.set(REST.ahead - swing, -REST.side, REST.up)
  if (fighter.holds !== 0) {
    left.position.set(1.2, 0.8, 0.6)
    right.position.set(1.2, -0.8, 0.6)
  }
  hands.emissive.setHex(GLOWS[cast?.phase ?? 0] ?? 0)
  if (cast === undefined) return
  const name = abilitiesOf(world.options).names[cast.ability]
  const strike = strikeOf(cast.phase)
  if (name === 'punch') {
    const fist = cast.step % 2 === 1 ? right : left
    fist.position.x += strike * 1.35
    fist.position.y *= 1 - Math.max(0, strike) * 0.55
    if (cast.step === 3 && strike > 0) left.position.copy(fist.position).setY(-fist.position.y)
  } else if (name === 'uppercut') {
    right.position.set(0.9 + Math.max(0, strike) * 0.4, -0.5, -0.6 + Math.max(0, strike) * 2.2)
  } else if (name === 'shockwave') {
    for (const fist of fists) fist.position.z = strike > 0 ? -1.1 : 1.7
  } else if (name === 'fireball' || name === 'grab' || name === 'throw') {
    for (const fist of fists) {
      fist.position.x += strike * 1.0
      fist.position.y *= 0.5
      if (name === 'throw') fist.position.z += Math.max(0, strike) * 0.9
    }
  } else if (name === 'barrier') {
    left.position.set(1.15, 0.35, 0.35)
    right.position.set(1.15, -0.35, 0.1)
  }
}
