/** Draws the court with Phaser. It reads the match and never changes it. */

import { HurtboxPlugin } from '@hurtbox/view/phaser'
import { playerAt } from 'hurtbox'
import { AUTO, Display, Game, GameObjects, Scene } from 'phaser'
import { court } from '../game/map.ts'
import { COLOURS, type CourtMatch, MARGIN, type Page, SHIELD, SIZE, TEAMS } from './page.ts'

/** Plays a match on the stage; the function returned takes it off again. */
export async function show(stage: HTMLElement, match: CourtMatch, page: Page): Promise<() => void> {
  stage.replaceChildren()
  const game = new Game({
    type: AUTO,
    ...SIZE,
    parent: stage,
    backgroundColor: COLOURS.floor,
    banner: false,
    audio: { noAudio: true },
    scene: new CourtScene(match, page),
    plugins: { scene: [{ key: 'hurtbox', plugin: HurtboxPlugin, mapping: 'hurtbox' }] },
  })
  return () => game.destroy(true)
}

class CourtScene extends Scene {
  declare readonly hurtbox: HurtboxPlugin
  readonly #match: CourtMatch
  readonly #page: Page

  constructor(match: CourtMatch, page: Page) {
    super('court')
    this.#match = match
    this.#page = page
  }

  create(): void {
    this.cameras.main.setScroll(-MARGIN, 0)
    this.#drawCourt()
    this.hurtbox.play(this.#match, {
      ...this.#page,
      create: (thing, _place, { after }) => {
        const { layer, radius, team } = thing
        if (layer === 'ball') return this.add.circle(0, 0, radius, colourOf(COLOURS.ball))
        const isOwn = playerAt(after, this.#match.seat)?.thing === thing
        return this.add.existing(new Player(this, radius, colourOf(TEAMS[team]), isOwn))
      },
      update(object, { shieldUp, stunnedUntil, bashUntil }, _place, { after }) {
        if (!(object instanceof Player)) return
        object.circle.setAlpha(stunnedUntil > after.clock ? 0.4 : 1)
        object.shield.setVisible(shieldUp === 1).setScale(bashUntil > after.clock ? 1.15 : 1)
      },
    })
  }

  #drawCourt(): void {
    for (const piece of court) {
      const colour = colourOf(COLOURS[piece.layer])
      if ('radius' in piece) this.add.circle(piece.x, piece.y, piece.radius, colour)
      else {
        const [width, height] = [piece.maxX - piece.minX, piece.maxY - piece.minY]
        this.add.rectangle(piece.minX, piece.minY, width, height, colour).setOrigin(0, 0)
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
