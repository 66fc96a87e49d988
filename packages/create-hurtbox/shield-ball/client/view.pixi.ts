/** Draws the court with Pixi. It reads the match and never changes it. */

import { MatchContainer } from '@hurtbox/view/pixi'
import { playerAt } from 'hurtbox'
import { Application, Container, Graphics } from 'pixi.js'
// Pixi makes functions from text to be fast; the server's content security policy does not allow that. This is its way without.
import 'pixi.js/unsafe-eval'
import { court } from '../game/map.ts'
import { COLOURS, type CourtMatch, MARGIN, type Page, SHIELD, SIZE, TEAMS } from './page.ts'

/** Plays a match on the stage; the function returned takes it off again. */
export async function show(stage: HTMLElement, match: CourtMatch, page: Page): Promise<() => void> {
  const app = new Application()
  await app.init({ ...SIZE, background: COLOURS.floor, antialias: true })
  stage.replaceChildren(app.canvas)
  const things = new MatchContainer(match, {
    ...page,
    ticker: app.ticker,
    create(thing, _place, { after }) {
      const { layer, radius, team } = thing
      if (layer === 'ball') return new Graphics().circle(0, 0, radius).fill(COLOURS.ball)
      const body = new Graphics().circle(0, 0, radius).fill(TEAMS[team])
      if (playerAt(after, match.seat)?.thing === thing) body.stroke({ color: COLOURS.own, width: 3 })
      const shield = new Graphics().arc(0, 0, SHIELD.radius, -SHIELD.half, SHIELD.half)
      return new Container({ children: [body, shield.stroke({ color: TEAMS[team], width: SHIELD.width })] })
    },
    update(object, { layer, shieldUp, stunnedUntil, bashUntil }, _place, { after }) {
      if (layer === 'ball') return
      const [body, shield] = object.children
      body.alpha = stunnedUntil > after.clock ? 0.4 : 1
      shield.visible = shieldUp === 1
      shield.scale.set(bashUntil > after.clock ? 1.15 : 1)
    },
  })
  app.stage.addChild(new Container({ x: MARGIN, children: [drawCourt(), things] }))
  return () => {
    things.destroy()
    app.destroy(true, { children: true })
  }
}

function drawCourt(): Graphics {
  const graphics = new Graphics()
  for (const piece of court) {
    if ('radius' in piece) graphics.circle(piece.x, piece.y, piece.radius)
    else graphics.rect(piece.minX, piece.minY, piece.maxX - piece.minX, piece.maxY - piece.minY)
    graphics.fill(COLOURS[piece.layer])
  }
  return graphics
}
