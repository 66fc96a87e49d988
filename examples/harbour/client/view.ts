/** Draws the harbour with Phaser. It reads the match and never changes it. */

import { HurtboxPlugin } from '@hurtbox/view/phaser'
import type { Thing, World } from 'hurtbox'
import type { Match, Picture, SeatInput } from 'hurtbox/picture'
import type { Shape } from 'hurtbox/shapes'
import { isStunned } from 'hurtbox/status'
import { AUTO, Game, GameObjects, Scene } from 'phaser'
import { status, zones } from '../game/content.ts'
import { HEIGHT, map, WIDTH } from '../game/map.ts'
import type { Harbour } from '../game/rules.ts'

export type Page = {
  input(tick: number, world: World<Harbour>): SeatInput<Harbour>
  frame(picture: Picture<Harbour>): void
}

const TEAMS = [0xcccccc, 0x5aa2ff, 0xffb13d]
const COLOURS = {
  crab: 0xc0503a,
  flag: 0xf2e85c,
  loot: 0x7ee0b5,
  lift: 0x8a6d4b,
  dart: 0xb6f28c,
  wall: 0x3a4352,
  ledge: 0x6b5a45,
}

/** Plays a match on the stage; what is returned takes it off again with `destroy(true)`. */
export function show(stage: HTMLElement, match: Match<Harbour>, page: Page): Game {
  stage.replaceChildren()
  const scene = new HarbourScene(match, page)
  const plugins = { scene: [{ key: 'hurtbox', plugin: HurtboxPlugin, mapping: 'hurtbox' }] }
  const size = { width: WIDTH, height: HEIGHT, parent: stage, backgroundColor: '#1d2b38' }
  return new Game({ type: AUTO, ...size, banner: false, audio: { noAudio: true }, scene, plugins })
}

class HarbourScene extends Scene {
  declare readonly hurtbox: HurtboxPlugin
  readonly #match: Match<Harbour>
  readonly #page: Page

  constructor(match: Match<Harbour>, page: Page) {
    super('harbour')
    this.#match = match
    this.#page = page
  }

  create(): void {
    const pieces = this.add.graphics()
    for (const piece of map) {
      pieces.fillStyle(COLOURS[piece.layer]).lineStyle(4, COLOURS[piece.layer])
      if ('minX' in piece) pieces.fillRect(piece.minX, piece.minY, piece.maxX - piece.minX, piece.maxY - piece.minY)
      else if ('points' in piece) pieces.fillPoints(piece.points.map(([x, y]) => ({ x, y })) as never, true)
      else pieces.lineBetween(piece.from[0], piece.from[1], piece.to[0], piece.to[1])
    }
    this.hurtbox.play<Harbour>(this.#match, {
      ...this.#page,
      create: (thing) => this.add.existing(new Body(this, thing)),
      update: (body, thing, _place, { after }) => (body as Body).show(thing, after.clock),
    })
  }
}

/** A box, the blade of a parry, and for the crab its zones. */
class Body extends GameObjects.Container {
  readonly blade: GameObjects.Arc
  readonly parts: readonly GameObjects.Rectangle[]

  constructor(scene: Scene, { layer, team, halfWidth, halfHeight }: Thing<Harbour>) {
    super(scene)
    const colour = layer === 'fighter' ? TEAMS[team] : COLOURS[layer as keyof typeof COLOURS]
    const [wide, high] = halfWidth > 0 ? [2 * halfWidth, 2 * halfHeight] : [10, 4]
    this.add(scene.add.rectangle(0, 0, wide, high, colour))
    this.parts = zones.list.map(({ shape }) => {
      const { boundX, boundY, boundRadius } = shape as Shape
      return scene.add.rectangle(boundX, boundY, boundRadius, boundRadius, 0xffffff, 0.25)
    })
    if (layer === 'crab') this.add([...this.parts])
    this.blade = scene.add.circle(0, 0, 44, 0xffffff, 0.3).setVisible(false)
    this.add(this.blade)
  }

  show(thing: Thing<Harbour>, clock: number): void {
    const { layer, hp, maxHp, parryUntil, zoneDamage } = thing
    // Seen from the side things look the other way, and never stand on their heads.
    this.setRotation(0)
    this.setAlpha(maxHp > 0 && hp <= 0 ? 0.15 : isStunned(status, thing) ? 0.6 : 1)
    this.blade.setVisible(parryUntil > clock)
    if (layer !== 'crab') return
    this.parts.forEach((part, zone) => {
      const { breaksAt } = zones.list[zone]
      part.setVisible(breaksAt === 0 || zoneDamage.get(zone) < breaksAt)
    })
  }
}
