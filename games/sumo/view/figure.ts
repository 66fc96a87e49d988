/**
 * A wrestler: belly, head with a topknot, arms and legs that show what it is doing.
 *
 * It fills the capsule of the rules. How it stands follows from the running ability and its phase alone (`poses.ts`), so pausing
 * and stepping back show the right pose at every tick. Fists also tell the phase by their light: amber while a blow gathers, red
 * while it can hit, dull while it recovers.
 */

import type { Target } from '@hurtbox/view'
import { PHASE } from 'hurtbox/abilities'
import type { Place } from 'hurtbox/picture'
import {
  type BufferGeometry,
  CapsuleGeometry,
  Color,
  CylinderGeometry,
  Group,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three'
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js'
import { nameOf } from '../../view/canvas.ts'
import type { SumoThing } from '../rules/declaration.ts'
import { BODY, STANDING } from '../rules/fighters.ts'
import { createLabel, type Label, setLabel } from './labels.ts'
import { type Pose, poseOf } from './poses.ts'
import type { SumoFrame } from './stage.ts'

export type Figure = {
  readonly group: Group
  /** Turned to the facing; the label stays upright beside it. */
  readonly body: Group
  /** All above the hips: leans and sinks, while the feet stay. */
  readonly torso: Group
  readonly fists: readonly [Mesh, Mesh]
  readonly arms: readonly [Mesh, Mesh]
  readonly feet: readonly [Mesh, Mesh]
  readonly legs: readonly [Mesh, Mesh]
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

/** Where arms and legs begin, from the middle of the body. */
const SHOULDER = { ahead: 0.05, side: 0.74, up: 0.42 } as const
const HIP = { side: 0.42, up: -0.62 } as const
/** Where feet stand: to the side, up. */
const STANCE = 0.56
const FOOT_HEIGHT = -BODY.halfLength - BODY.radius + 0.16

export function createFigure(target: Target, colour: string, seat: number): Figure {
  const group = new Group()
  const body = new Group()
  const torso = new Group()
  body.add(torso)
  const skin = new MeshStandardMaterial({ color: 0xf4c9a0, roughness: 0.6 })
  const cloth = new MeshStandardMaterial({ color: new Color(colour), roughness: 0.5 })
  const dark = new MeshStandardMaterial({ color: 0x17141c, roughness: 0.7 })
  const forms = formsOfAll()
  const add = (geometry: BufferGeometry, material: Material, parent = torso): Mesh => {
    const mesh = new Mesh(geometry, material)
    mesh.castShadow = true
    parent.add(mesh)
    return mesh
  }
  add(forms.skin, skin).receiveShadow = true
  add(forms.cloth, cloth)
  add(forms.dark, dark)
  torso.add(new Mesh(forms.eyes, new MeshBasicMaterial({ color: 0xffffff })))
  const hands = new MeshStandardMaterial({ color: new Color(colour), roughness: 0.5 })
  const fists = [add(forms.ball, hands), add(forms.ball, hands)] as const
  // One unit long; stretched from joint to joint in every frame.
  const arms = [add(forms.arm, skin), add(forms.arm, skin)] as const
  const legs = [add(forms.leg, skin, body), add(forms.leg, skin, body)] as const
  const feet = [add(forms.ball, skin, body), add(forms.ball, skin, body)] as const
  for (const each of feet) each.scale.set(1.4, 0.9, 0.55)
  const shield = new Mesh(
    new CapsuleGeometry(BODY.radius * 1.22, BODY.halfLength * 2, 8, 20),
    new MeshBasicMaterial({ color: 0x7fd4ff, transparent: true, opacity: 0.28, depthWrite: false }),
  )
  shield.rotation.x = Math.PI / 2
  const stars = createStars()
  const label = createLabel(target, 256, 96, 2.7, 1.0)
  label.sprite.position.set(0, 0, NAME_HEIGHT)
  group.add(body, shield, stars, label.sprite)
  const parts = { group, body, torso, fists, arms, feet, legs, hands, stars, shield, skin, label }
  return { ...parts, seat, colour, flashMs: 0, outMs: 0 }
}

type Forms = Readonly<Record<'skin' | 'cloth' | 'dark' | 'eyes' | 'ball' | 'arm' | 'leg', BufferGeometry>>

let forms: Forms | undefined

/**
 * The forms of all figures, made once. What does not move on its own and is of one material is one form: each mesh costs the thread that
 * draws as much as forty particles, and every figure is drawn twice, for its shadow, too.
 */
function formsOfAll(): Forms {
  forms ??= makeForms()
  return forms
}

function makeForms(): Forms {
  const at = (form: BufferGeometry, x: number, y: number, z: number, sx = 1, sy = 1, sz = 1) =>
    form.scale(sx, sy, sz).translate(x, y, z)
  const ball = (radius: number) => new SphereGeometry(radius, 20, 14)
  const both = (make: (side: number) => BufferGeometry) => [make(-1), make(1)]
  return {
    skin: mergeGeometries([
      at(ball(0.88), 0.08, 0, -0.28, 1, 1.02, 0.88),
      at(ball(0.66), 0, 0, 0.32, 0.95, 1.22, 0.85),
      at(ball(0.46), 0.12, 0, 0.98),
    ]),
    cloth: mergeGeometries([
      at(new TorusGeometry(0.76, 0.2, 10, 32), 0.02, 0, -0.66),
      at(ball(0.26), 0.8, 0, -0.78, 0.7, 1.1, 1.3),
    ]),
    dark: mergeGeometries([
      at(ball(0.45), 0.02, 0, 1.1),
      at(ball(0.17), -0.08, 0, 1.54),
      ...both((side) => at(ball(0.055), 0.58, side * 0.17, 1.0)),
    ]),
    eyes: mergeGeometries(both((side) => at(new SphereGeometry(0.1, 10, 8), 0.5, side * 0.17, 1.0))),
    ball: ball(0.3),
    arm: new CylinderGeometry(0.19, 0.27, 1, 14),
    leg: new CylinderGeometry(0.24, 0.4, 1, 14),
  }
}

/** How high above the middle of a fighter its name is. */
export const NAME_HEIGHT = 2.45

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

/** Brings a figure to where its fighter is drawn at this moment. */
export function poseFigure(figure: Figure, fighter: SumoThing, { x, y, z, facingX, facingY }: Place, frame: SumoFrame) {
  const { after, elapsedMs, nowMs } = frame
  const { clock } = after
  const { vx, vy, shield: blocks, shieldUntil, stunnedUntil, launchedUntil, hp, maxHp } = fighter
  const { group, body, shield, stars, skin } = figure
  const isOut = fighter.out !== 0
  group.position.set(x, y, z)
  body.rotation.set(0, 0, Math.atan2(facingY, facingX))
  const isLaunched = launchedUntil > clock
  // Thrown, it tumbles backwards; running, it leans ahead.
  const ahead = vx * facingX + vy * facingY
  body.rotation.y = isLaunched
    ? Math.max(-0.9, Math.min(0.9, ahead * 0.07))
    : Math.max(-0.18, Math.min(0.22, ahead * 0.035))
  body.rotation.order = 'ZYX'
  figure.flashMs = Math.max(0, figure.flashMs - elapsedMs)
  skin.emissive.setScalar(figure.flashMs > 0 ? 0.85 * (figure.flashMs / 140) : 0)
  shield.visible = blocks > 0 && shieldUntil > clock
  stars.visible = stunnedUntil > clock
  stars.rotation.z = nowMs / 160
  fall(figure, isOut, frame)
  const pace = Math.min(1, Math.hypot(vx, vy) / 5)
  pose(figure, poseOf(fighter, after), { nowMs, pace, isInAir: isLaunched || fighter.z > STANDING + 0.2 })
  const isHidden = figure.label.isWordless || isOut
  figure.label.sprite.visible = !isHidden
  const name = figure.seat < 0 ? 'dummy' : nameOf(frame, figure.seat)
  if (!isHidden) setLabel(figure.label, name, figure.colour, hp / maxHp)
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

type Gait = { readonly nowMs: number; readonly pace: number; readonly isInAir: boolean }

/** Brings limbs to a pose. Without one that says where they are, arms swing and legs walk. */
function pose(figure: Figure, { lean, sink, fists, feet, phase }: Pose, { nowMs, pace, isInAir }: Gait): void {
  const { torso, hands } = figure
  torso.rotation.y = lean
  torso.position.z = -sink
  hands.emissive.setHex(GLOWS[phase] ?? 0)
  const swing = Math.sin(nowMs / 85)
  SIDES.forEach((side, i) => {
    const [ahead, out, up] = fists[i]
    const isFree = phase === 0
    figure.fists[i].position.set(ahead + (isFree ? swing * side * 0.35 * pace : 0), out * side, up)
    from.set(SHOULDER.ahead, SHOULDER.side * side, SHOULDER.up)
    stretch(figure.arms[i], from, figure.fists[i].position)

    const stride = isInAir ? 0 : swing * 0.5 * pace
    const lift = isInAir ? 0.3 : Math.max(0, Math.cos(nowMs / 85) * side) * 0.22 * pace
    const [step, raised] = feet[i]
    figure.feet[i].position.set(0.1 + step - stride * side, STANCE * side, FOOT_HEIGHT + raised + lift)
    from.set(0, HIP.side * side, HIP.up - sink)
    stretch(figure.legs[i], from, figure.feet[i].position)
  })
}

const SIDES = [1, -1] as const
const UP = new Vector3(0, 1, 0)
/** Scratch: written before it is read. */
const from = new Vector3()
const reach = new Vector3()

function stretch(limb: Mesh, start: Vector3, end: Vector3): void {
  reach.copy(end).sub(start)
  const length = Math.max(0.01, reach.length())
  limb.scale.set(1, length, 1)
  limb.position.copy(start).addScaledVector(reach, 0.5)
  limb.quaternion.setFromUnitVectors(UP, reach.multiplyScalar(1 / length))
}

/** The light of the fists in each phase of an attack. */
const GLOWS: Readonly<Record<number, number>> = {
  [PHASE.startup]: 0x7a4a00,
  [PHASE.active]: 0xd01818,
  [PHASE.recovery]: 0x000018,
}
