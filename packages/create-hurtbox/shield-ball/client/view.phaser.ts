/** Draws the court with Phaser. It reads the match and never changes it. */

import type { Frame, View } from '@hurtbox/view'
import { HurtboxPlugin } from '@hurtbox/view/phaser'
import { playerAt } from 'hurtbox'
import { AUTO, Display, Game, GameObjects, Math as PhaserMath, Scale, Scene } from 'phaser'
import { court } from '../game/map.ts'
import type { ShieldBall } from '../game/rules.ts'
import { COLOURS, cornersOf, courtView, createLens, SHIELD, TEAMS } from './court.ts'

export const view: View<ShieldBall> = {
  ...courtView,
  target: 'own',
  create({ element }) {
    const scene = new CourtScene()
    const game = new Game({
      type: AUTO,
      parent: element,
      scale: { mode: Scale.RESIZE },
      backgroundColor: COLOURS.floor,
      banner: false,
      audio: { noAudio: true },
      // Keys, mouse and fingers are the page's.
      input: { keyboard: false, mouse: false, touch: false },
      scene,
      plugins: { scene: [{ key: 'hurtbox', plugin: HurtboxPlugin, mapping: 'hurtbox' }] },
    })
    const lens = createLens()
    return {
      ...lens,
      draw(frame) {
        lens.follow(frame)
        scene.show(frame)
      },
      dispose: () => game.destroy(true),
    }
  },
}

class CourtScene extends Scene {
  declare readonly hurtbox: HurtboxPlugin
  #isReady = false
  #ownId = 0

  constructor() {
    super('court')
  }

  create(): void {
    this.#drawCourt()
    this.hurtbox.play<ShieldBall>(undefined, {
      create: ({ id, layer, radius, team }) => {
        if (layer === 'ball') return this.add.circle(0, 0, radius, colourOf(COLOURS.ball))
        return this.add.existing(new Player(this, radius, colourOf(TEAMS[team]), id === this.#ownId))
      },
      update(object, { shieldUp, stunnedUntil, bashUntil }, _place, { after }) {
        if (!(object instanceof Player)) return
        object.circle.setAlpha(stunnedUntil > after.clock ? 0.4 : 1)
        object.shield.setVisible(shieldUp === 1).setScale(bashUntil > after.clock ? 1.15 : 1)
      },
    })
    this.#isReady = true
  }

  /** Phaser draws it with its own next frame. */
  show(frame: Frame<ShieldBall>): void {
    if (!this.#isReady) return
    this.#ownId = playerAt(frame.after, frame.seat)?.thing?.id ?? 0
    this.cameras.main.setZoom(frame.camera.scale).centerOn(frame.camera.x, frame.camera.y)
    this.hurtbox.draw(frame as never)
  }

  #drawCourt(): void {
    for (const piece of court) {
      const colour = colourOf(COLOURS[piece.layer])
      if ('x' in piece) this.add.circle(piece.x, piece.y, piece.radius, colour)
      else {
        const corners = cornersOf(piece).map(([x, y]) => new PhaserMath.Vector2(x, y))
        this.add.graphics().fillStyle(colour).fillPoints(corners, true)
      }
    }
  }
}

class Player extends GameObjects.Container {
  readonly circle: GameObjects.Arc
  readonly shield: GameObjects.Graphics

  constructor(scene: Scene, radius: number, colour: number, isOwn: boolean) {
    super(scene)
    this.circle = scene.add.circle(0, 0, radius, colour)
    if (isOwn) this.circle.setStrokeStyle(3, colourOf(COLOURS.own))
    this.shield = scene.add.graphics().lineStyle(SHIELD.width, colour)
    this.shield.beginPath().arc(0, 0, SHIELD.radius, -SHIELD.half, SHIELD.half).strokePath()
    this.add([this.circle, this.shield])
  }
}

const colourOf = (text: string) => Display.Color.HexStringToColor(text).color
