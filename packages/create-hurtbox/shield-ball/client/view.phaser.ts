/** Draws the court with Phaser. It reads the match and never changes it. */

import { HurtboxPlugin } from '@hurtbox/view/phaser'
import { playerAt } from 'hurtbox'
import { AUTO, Display, Game, type GameObjects, Scene } from 'phaser'
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
        const body = this.add.circle(0, 0, radius, colourOf(TEAMS[team]))
        if (playerAt(after, this.#match.seat)?.thing === thing) body.setStrokeStyle(3, colourOf(COLOURS.own))
        const shield = this.add.graphics().lineStyle(SHIELD.width, colourOf(TEAMS[team]))
        shield.beginPath().arc(0, 0, SHIELD.radius, -SHIELD.half, SHIELD.half).strokePath()
        return this.add.container(0, 0, [body, shield])
      },
      update(object, { layer, shieldUp, stunnedUntil, bashUntil }, _place, { after }) {
        if (layer === 'ball') return
        const [body, shield] = (object as GameObjects.Container).list as [GameObjects.Arc, GameObjects.Graphics]
        body.setAlpha(stunnedUntil > after.clock ? 0.4 : 1)
        shield.setVisible(shieldUp === 1).setScale(bashUntil > after.clock ? 1.15 : 1)
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

const colourOf = (text: string) => Display.Color.HexStringToColor(text).color
