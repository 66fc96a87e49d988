/**
 * The stage: ring, lights, fighters and sparks as one scene, updated for every frame.
 *
 * Everything but the renderer is here, so that all of it works, and is tested, without a graphics card.
 */

import { type EventRecord, findRow, thing } from 'hurtbox'
import { activeTick, castOf, isInStep, PHASE } from 'hurtbox/abilities'
import type { Frame, Target } from 'hurtbox/module'
import { BoxGeometry, type Group, Mesh, MeshBasicMaterial, Scene, SphereGeometry, TorusGeometry } from 'three'
import { SEAT_COLOURS } from '../../view/paint.ts'
import { createTween, type Tween, tweenPlaces } from '../../view/tween.ts'
import { abilitiesOf, declaration, KIND, STAGE, type SumoWorld } from '../rules/declaration.ts'
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
  readonly tween: Tween
  /** By id of the fighter. */
  readonly figures: Map<number, Figure>
  readonly balls: Pool
  /** The light around them. */
  readonly halos: Pool
  readonly waves: Pool
  readonly windows: Pool
  readonly sparks: Sparks
  readonly numbers: Numbers
  readonly sign: Label
  readonly target: Target
  /** What the sign says, and for how many milliseconds more. */
  said: { text: string; colour: string; leftMs: number }
  dispose(): void
}

/** Things of one sort that come and go: made once, shown as needed. */
type Pool = { readonly meshes: Mesh[]; readonly parent: Scene; make(): Mesh; used: number }

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
  const cube = new BoxGeometry(2, 2, 2)
  const light = (colour: number, opacity: number) =>
    new MeshBasicMaterial({ color: colour, transparent: true, opacity, depthWrite: false })
  const stage: SumoStage = {
    scene,
    shake: 0,
    tween: createTween(declaration.capacity),
    figures: new Map(),
    balls: createPool(scene, () => new Mesh(ball, new MeshBasicMaterial({ color: 0xffb040 }))),
    halos: createPool(scene, () => new Mesh(ball, light(0xff7a20, 0.3))),
    waves: createPool(scene, () => new Mesh(wave, light(0x9fe8ff, 0.8))),
    windows: createPool(scene, () => new Mesh(cube, light(0xff5040, 0.28))),
    sparks,
    numbers: createNumbers(scene, target),
    sign,
    target,
    said: { text: '', colour: '#ffffff', leftMs: 0 },
    dispose() {
      scene.traverse((each) => {
        const { geometry, material } = each as Partial<Mesh>
        geometry?.dispose()
        for (const one of material === undefined ? [] : Array.isArray(material) ? material : [material]) one.dispose()
      })
    },
  }
  return stage
}

/** Updates the scene for a frame. */
export function showFrame(stage: SumoStage, frame: SumoFrame): void {
  const { tween, figures, sparks } = stage
  const { after } = frame
  const { things } = after.tables
  tweenPlaces(tween, frame)
  if (frame.jumped) forget(stage)
  for (const event of frame.events) react(stage, event, frame)
  takeBackNumbers(stage.numbers, frame.withdrawn)
  const pools = [stage.balls, stage.halos, stage.waves, stage.windows]
  for (const pool of pools) pool.used = 0
  const seen = new Set<number>()
  for (let row = 0; row < things.count; row++) {
    const z = tween.z[row]
    if (things.kind[row] === KIND.fighter || things.kind[row] === KIND.dummy) {
      seen.add(things.id[row])
      poseFigure(figureOf(stage, after, row), frame, row, tween, z)
      showWindows(stage, frame, row, z)
    } else if (things.kind[row] === KIND.projectile) showBall(stage, row, z, things.radius[row])
    else if (things.kind[row] === KIND.area) showWave(stage, frame, row)
  }
  for (const [id, figure] of figures) if (!seen.has(id)) removeFigure(stage, id, figure.group)
  for (const pool of pools) {
    for (let i = pool.used; i < pool.meshes.length; i++) pool.meshes[i].visible = false
  }
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
  for (const figure of stage.figures.values()) figure.flashMs = 0
}

function react(stage: SumoStage, event: EventRecord<typeof declaration>, frame: SumoFrame): void {
  const { things } = frame.after.tables
  const { sparks } = stage
  switch (event.kind) {
    case 'strike': {
      const row = findRow(things, event.victim)
      if (row < 0) return
      const isBlocked = event.blocked === 1
      const [x, y, z] = [things.x[row], things.y[row], things.z[row]]
      const figure = stage.figures.get(things.id[row])
      if (figure !== undefined && !isBlocked) figure.flashMs = 140
      burst(sparks, x, y, z + 0.3, isBlocked ? 14 : 34, isBlocked ? 5 : 9, isBlocked ? '#8fd8ff' : '#ffd27a')
      stage.shake = Math.max(stage.shake, isBlocked ? 0.08 : 0.2)
      return
    }
    case 'damage': {
      const row = findRow(things, event.victim)
      const taken = Math.round(event.taken)
      if (row < 0 || taken === 0 || stage.target.isWordless) return
      const over = { x: things.x[row], y: things.y[row], z: things.z[row] + 1.2 }
      showNumber(stage.numbers, over, `−${taken}`, event)
      return
    }
    case 'ringOut': {
      const row = findRow(things, event.victim)
      if (row < 0) return
      burst(sparks, things.x[row], things.y[row], -2.4, 90, 9, '#e8c89a')
      stage.shake = Math.max(stage.shake, 0.5)
      showBanner(stage, 'Ring out!', '#ffd27a', 1200)
      return
    }
    case 'cast': {
      const row = findRow(things, event.caster)
      const { names } = abilitiesOf(frame.after.options)
      const name = names[event.ability]
      if (row < 0) return
      if (name === 'jump' || name === 'dash')
        burst(sparks, things.x[row], things.y[row], things.z[row] - 1.4, 14, 3, '#d9b98a')
      if (name === 'shockwave') burst(sparks, things.x[row], things.y[row], 0.1, 40, 7, '#9fe8ff')
      return
    }
    case 'roundStart':
      showBanner(stage, `Round ${event.round}`, '#ffffff', 1400)
      return
    case 'roundOver':
      showBanner(
        stage,
        event.winner === 0 ? 'A draw' : `${nameOf(frame, event.winner)} wins the round`,
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

function nameOf({ after, seat, playerName }: SumoFrame, id: number): string {
  const { players } = after.tables
  const player = players.thing.subarray(0, players.count).indexOf(id)
  if (player < 0) return 'Nobody'
  const its = players.seat[player]
  return its === seat ? 'You' : (playerName?.(its) ?? `P${its + 1}`)
}

function figureOf(stage: SumoStage, world: SumoWorld, row: number): Figure {
  const { things, players } = world.tables
  const id = things.id[row]
  const known = stage.figures.get(id)
  if (known !== undefined) return known
  const player = players.thing.subarray(0, players.count).indexOf(id)
  const colour = player < 0 ? '#9a9aa6' : SEAT_COLOURS[players.seat[player] % SEAT_COLOURS.length]
  const figure = createFigure(stage.target, colour, player < 0 ? -1 : players.seat[player])
  stage.figures.set(id, figure)
  stage.scene.add(figure.group)
  return figure
}

function removeFigure(stage: SumoStage, id: number, group: Group): void {
  stage.scene.remove(group)
  stage.figures.delete(id)
}

/** Where an attack can hit now, as in the rules: a red glow in front of the fists. */
function showWindows(stage: SumoStage, { after }: SumoFrame, row: number, z: number): void {
  const abilities = abilitiesOf(after.options)
  const fighter = thing(after, after.tables.things.id[row])!
  const cast = castOf(fighter)
  if (cast?.phase !== PHASE.active) return
  // The frame shows the tick that has just been; the clock is one ahead. Hit stop puts the end of the phase off.
  const tick = Math.max(0, activeTick(abilities, fighter) - 1)
  for (const effect of abilities.list[cast.ability].effects) {
    const { kind, volume, at, until } = effect
    if (kind !== 'melee' || volume === undefined || !isInStep(effect, cast.step) || tick < at || tick >= until) continue
    const mesh = take(stage.windows)
    const { facingX, facingY } = fighter
    const { offsetX, offsetY, offsetZ, halfX, halfY, halfZ, radius } = volume
    mesh.position.set(
      stage.tween.x[row] + offsetX * facingX - offsetY * facingY,
      stage.tween.y[row] + offsetX * facingY + offsetY * facingX,
      z + offsetZ,
    )
    mesh.rotation.z = Math.atan2(facingY, facingX)
    mesh.scale.set(halfX + radius, halfY + radius, halfZ + radius)
  }
}

function showBall(stage: SumoStage, row: number, z: number, radius: number): void {
  const { tween, sparks } = stage
  const mesh = take(stage.balls)
  mesh.position.set(tween.x[row], tween.y[row], z)
  mesh.scale.setScalar(radius * 1.3)
  const halo = take(stage.halos)
  halo.position.copy(mesh.position)
  halo.scale.setScalar(radius * 2.6)
  burst(sparks, tween.x[row], tween.y[row], z, 2, 1.2, '#ff8a2a')
}

/** A shockwave runs outwards over the time it lives. */
function showWave(stage: SumoStage, { after, alpha }: SumoFrame, row: number): void {
  const { things } = after.tables
  const mesh = take(stage.waves)
  const left = Math.max(0, things.endsAt[row] - after.clock + 1 - alpha)
  const part = Math.min(1, 1 - left / 8)
  mesh.position.set(stage.tween.x[row], stage.tween.y[row], 0.25)
  mesh.scale.setScalar(Math.max(0.2, things.radius[row] * Math.sqrt(Math.max(0, part))))
}

function createPool(parent: Scene, make: () => Mesh): Pool {
  return { meshes: [], parent, make, used: 0 }
}

function take(pool: Pool): Mesh {
  let mesh = pool.meshes[pool.used]
  if (mesh === undefined) {
    mesh = pool.make()
    pool.meshes.push(mesh)
    pool.parent.add(mesh)
  }
  pool.used++
  mesh.visible = true
  return mesh
}
