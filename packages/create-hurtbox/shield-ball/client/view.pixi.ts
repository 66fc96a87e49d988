/** Draws the court with Pixi. It reads the match and never changes it. */

import type { View } from '@hurtbox/view'
import { MatchContainer } from '@hurtbox/view/pixi'
import { playerAt } from 'hurtbox'
import { Application, Container, Graphics } from 'pixi.js'
// Pixi makes functions from text to be fast; the server's content security policy does not allow that. This is its way without.
import 'pixi.js/unsafe-eval'
import { court } from '../game/map.ts'
import type { ShieldBall } from '../game/rules.ts'
import { COLOURS, cornersOf, courtView, createLens, SHIELD, TEAMS } from './court.ts'

export const view: View<ShieldBall> = {
  ...courtView,
  target: 'own',
  async create({ canvas }) {
    const app = new Application()
    await app.init({ canvas, background: COLOURS.floor, antialias: true, autoStart: false, autoDensity: true })
    const lens = createLens()
    let ownId = 0
    const things = new MatchContainer<ShieldBall>(undefined, {
      create({ id, layer, radius, team }) {
        if (layer === 'ball') return new Graphics().circle(0, 0, radius).fill(COLOURS.ball)
        const body = new Graphics().circle(0, 0, radius).fill(TEAMS[team])
        if (id === ownId) body.stroke({ color: COLOURS.own, width: 3 })
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
    const world = new Container({ children: [drawCourt(), things] })
    app.stage.addChild(world)
    return {
      ...lens,
      draw(frame) {
        const { after, seat, camera, width, height, pixelRatio } = frame
        lens.follow(frame)
        ownId = playerAt(after, seat)?.thing?.id ?? 0
        things.draw(frame)
        app.renderer.resize(width, height, pixelRatio)
        world.scale.set(camera.scale)
        world.position.set(width / 2 - camera.x * camera.scale, height / 2 - camera.y * camera.scale)
        app.render()
      },
      dispose: () => app.destroy(false, { children: true }),
    }
  },
}

function drawCourt(): Graphics {
  const graphics = new Graphics()
  for (const piece of court) {
    if ('x' in piece) graphics.circle(piece.x, piece.y, piece.radius)
    else graphics.poly(cornersOf(piece).flat())
    graphics.fill(COLOURS[piece.layer])
  }
  return graphics
}
