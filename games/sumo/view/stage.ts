/**
 * The stage: ring, lights, fighters and sparks as one scene, updated for every frame.
 *
 * Everything but the renderer is here, so that all of it works, and is tested, without a graphics card.
 */

import type { Frame, Target } from '@hurtbox/view'
import { type Bound, bind } from '@hurtbox/view'
import { type EventRecord, playerOf, thing } from 'hurtbox'
import { activeTick, castOf, isInStep, PHASE } from 'hurtbox/abilities'
import type { Place } from 'hurtbox/picture'
import { BoxGeometry, Mesh, MeshBasicMaterial, Points, Scene, SphereGeometry, Sprite, TorusGeometry } from 'three'
import { nameOf } from '../../view/canvas.ts'
import { SEAT_COLOURS } from '../../view/paint.ts'
import { abilitiesOf, type declaration, KIND, STAGE, type SumoThing } from '../rules/declaration.ts'
import { createFigure, type Figure, poseFigure } from './figure.ts'
import { createLabel, type Label, setLabel } from './labels.ts'
import { advanceNumbers, clearNumbers, createNumbers, type Numbers, showNumber, takeBackNumbers } from './numbers.ts'
import { addRing } from './ring.ts'
import { advanceSparks, burst, clearSparks, createSparks, type Sparks } from './sparks.ts'

export type SumoFrame = Frame<typeof declaration>

export type SumoStage = {
  readonly scene: Scene
  /** How far the camera shakes now, m. */
  shake: number
  readonly figures: Bound<typeof declaration, Figure, SumoFrame>
  /** Fireballs and shockwaves. */
  readonly blows: Bound<typeof declaration, Mesh, SumoFrame>
  /** Where attacks can hit now: made once, the first `used` of them shown. */
  readonly windows: { readonly meshes: Mesh[]; used: number }
  readonly sparks: Sparks
  readonly numbers: Numbers
  readonly sign: Label
  readonly target: Target
  /** What the sign says, and for how many milliseconds more. */
  said: { text: string; colour: string; leftMs: number }
  dispose(): void
}

export function createStage(target: Target): SumoStage {
  const scene = new Scene()
  addRing(scene, target)
  const sparks = createSparks(target, target.isSmall ? 200 : 900)
  scene.add(sparks.points)
  const sign = createLabel(target, 1024, 256, 8, 2)
  sign.sprite.position.set(0, 0, 5.4)
  sign.sprite.renderOrder = 10
  scene.add(sign.sprite)
  const ball = new SphereGeometry(1, 20, 14)
  const wave = new TorusGeometry(1, 0.06, 8, 48)
  const [fire, halo, ripple] = [new MeshBasicMaterial({ color: 0xffb040 }), light(0xff7a20, 0.3), light(0x9fe8ff, 0.8)]
  const stage: SumoStage = {
    scene,
    shake: 0,
    figures: bind(undefined, {
      keepOverJumps: true,
      create(fighter: SumoThing, _place: Place, { after }: SumoFrame) {
        if (fighter.layer !== 'character') return undefined
        const seat = playerOf(after, fighter)?.seat ?? -1
        const figure = createFigure(target, seat < 0 ? '#9a9aa6' : SEAT_COLOURS[seat % SEAT_COLOURS.length], seat)
        scene.add(figure.group)
        return figure
      },
      update(figure, fighter, place, frame) {
        poseFigure(figure, fighter, place, frame)
        showWindows(stage, fighter, place, frame)
      },
      remove: ({ group }) => void scene.remove(group),
    }),
    blows: bind(undefined, {
      keepOverJumps: true,
      create({ kind }: SumoThing, _place: Place, _frame: SumoFrame) {
        if (kind !== KIND.projectile && kind !== KIND.area) return undefined
        const mesh = kind === KIND.area ? new Mesh(wave, ripple) : new Mesh(ball, fire).add(new Mesh(ball, halo))
        mesh.children[0]?.scale.setScalar(2)
        scene.add(mesh)
        return mesh
      },
      update: (mesh, blow, place, frame) => showBlow(stage, mesh, blow, place, frame),
      remove: (mesh) => void scene.remove(mesh),
    }),
    windows: { meshes: [], used: 0 },
    sparks,
    numbers: createNumbers(scene, target),
    sign,
    target,
    said: { text: '', colour: '#ffffff', leftMs: 0 },
    dispose() {
      for (const each of [ball, wave, fire, halo, ripple]) each.dispose()
      scene.traverse((each) => {
        if (!(each instanceof Mesh || each instanceof Points || each instanceof Sprite)) return
        each.geometry.dispose()
        for (const material of [each.material].flat()) material.dispose()
      })
    },
  }
  return stage
}

function light(colour: number, opacity: number): MeshBasicMaterial {
  return new MeshBasicMaterial({ color: colour, transparent: true, opacity, depthWrite: false })
}

/** Updates the scene for a frame. */
export function showFrame(stage: SumoStage, frame: SumoFrame): void {
  const { figures, blows, windows, sparks } = stage
  if (frame.jumped) forget(stage)
  sparks.density = frame.isSlow ? 0.25 : 1
  for (const event of frame.events) react(stage, event, frame)
  takeBackNumbers(stage.numbers, frame.withdrawn)
  windows.used = 0
  figures.draw(frame)
  blows.draw(frame)
  windows.meshes.forEach((mesh, i) => {
    mesh.visible = i < windows.used
  })
  advanceSparks(sparks, frame.elapsedMs)
  advanceNumbers(stage.numbers, frame.elapsedMs)
  stage.shake *= Math.exp((-9 * frame.elapsedMs) / 1000)
  showSign(stage, frame)
}

function forget(stage: SumoStage): void {
  clearSparks(stage.sparks)
  clearNumbers(stage.numbers)
  stage.shake = 0
  stage.said.leftMs = 0
  for (const figure of stage.figures.objects()) figure.flashMs = 0
}

function react(stage: SumoStage, event: EventRecord<typeof declaration>, frame: SumoFrame): void {
  const { after } = frame
  const { sparks } = stage
  switch (event.kind) {
    case 'strike': {
      const victim = thing(after, event.victim)
      if (victim === undefined) return
      const isBlocked = event.blocked === 1
      const { x, y, z } = victim
      const figure = stage.figures.get(victim.id)
      if (figure !== undefined && !isBlocked) figure.flashMs = 140
      burst(sparks, x, y, z + 0.3, isBlocked ? 14 : 34, isBlocked ? 5 : 9, isBlocked ? '#8fd8ff' : '#ffd27a')
      stage.shake = Math.max(stage.shake, isBlocked ? 0.08 : 0.2)
      return
    }
    case 'damage': {
      const victim = thing(after, event.victim)
      const taken = Math.round(event.taken)
      if (victim === undefined || taken === 0 || stage.target.isWordless) return
      const { x, y, z } = victim
      showNumber(stage.numbers, { x, y, z: z + 1.2 }, `−${taken}`, event)
      return
    }
    case 'ringOut': {
      const victim = thing(after, event.victim)
      if (victim === undefined) return
      burst(sparks, victim.x, victim.y, -2.4, 90, 9, '#e8c89a')
      stage.shake = Math.max(stage.shake, 0.5)
      showBanner(stage, 'Ring out!', '#ffd27a', 1200)
      return
    }
    case 'cast': {
      const caster = thing(after, event.caster)
      const name = abilitiesOf(after.options).names[event.ability]
      if (caster === undefined) return
      const { x, y, z } = caster
      if (name === 'jump' || name === 'dash') burst(sparks, x, y, z - 1.4, 14, 3, '#d9b98a')
      if (name === 'shockwave') burst(sparks, x, y, 0.1, 40, 7, '#9fe8ff')
      return
    }
    case 'roundStart':
      showBanner(stage, `Round ${event.round}`, '#ffffff', 1400)
      return
    case 'roundOver':
      showBanner(
        stage,
        event.winner === 0 ? 'A draw' : `${winnerOf(frame, event.winner)} wins the round`,
        '#ffffff',
        1800,
      )
  }
}

function showBanner(stage: SumoStage, text: string, colour: string, leftMs: number): void {
  stage.said = { text, colour, leftMs }
}

function showSign(stage: SumoStage, frame: SumoFrame): void {
  const { sign, said } = stage
  said.leftMs -= frame.elapsedMs
  const isWaiting = frame.after.globals.stage === STAGE.waiting && frame.after.options.mode === 'match'
  const text = said.leftMs > 0 ? said.text : isWaiting ? 'Waiting for fighters' : ''
  sign.sprite.visible = text !== '' && stage.target.isWordless !== true
  if (sign.sprite.visible) setLabel(sign, text, said.leftMs > 0 ? said.colour : '#c8d0f0', undefined)
}

function winnerOf(frame: SumoFrame, id: number): string {
  const player = playerOf(frame.after, id)
  return player === undefined ? 'Nobody' : nameOf(frame, player.seat)
}

/** Where an attack can hit now, as in the rules: a red glow in front of the fists. */
function showWindows(stage: SumoStage, fighter: SumoThing, { x, y, z }: Place, { after }: SumoFrame): void {
  const abilities = abilitiesOf(after.options)
  const cast = castOf(fighter)
  if (cast?.phase !== PHASE.active) return
  // The frame shows the tick that has just been; the clock is one ahead. Hit stop puts the end of the phase off.
  const tick = Math.max(0, activeTick(abilities, fighter) - 1)
  for (const effect of abilities.list[cast.ability].effects) {
    const { kind, volume, at, until } = effect
    if (kind !== 'melee' || volume === undefined || !isInStep(effect, cast.step) || tick < at || tick >= until) continue
    const mesh = takeWindow(stage)
    const { facingX, facingY } = fighter
    const { offsetX, offsetY, offsetZ, halfX, halfY, halfZ, radius } = volume
    mesh.position.set(x + offsetX * facingX - offsetY * facingY, y + offsetX * facingY + offsetY * facingX, z + offsetZ)
    mesh.rotation.z = Math.atan2(facingY, facingX)
    mesh.scale.set(halfX + radius, halfY + radius, halfZ + radius)
  }
}

function takeWindow({ windows, scene }: SumoStage): Mesh {
  const at = windows.used++
  if (windows.meshes[at] === undefined) {
    windows.meshes[at] = new Mesh(new BoxGeometry(2, 2, 2), light(0xff5040, 0.28))
    scene.add(windows.meshes[at])
  }
  return windows.meshes[at]
}

/** A fireball with the light around it; a shockwave that runs outwards over the time it lives. */
function showBlow(stage: SumoStage, mesh: Mesh, blow: SumoThing, { x, y, z }: Place, frame: SumoFrame): void {
  const { kind, radius, endsAt } = blow
  if (kind === KIND.projectile) {
    mesh.position.set(x, y, z)
    mesh.scale.setScalar(radius * 1.3)
    burst(stage.sparks, x, y, z, 2, 1.2, '#ff8a2a')
    return
  }
  const left = Math.max(0, endsAt - frame.after.clock + 1 - frame.alpha)
  const part = Math.min(1, 1 - left / 8)
  mesh.position.set(x, y, 0.25)
  mesh.scale.setScalar(Math.max(0.2, radius * Math.sqrt(Math.max(0, part))))
}
