/** How the game is drawn and played by hand. It reads the world and never writes it. */

import type { View } from '@hurtbox/view'
import { each, playerAt, players, type Thing } from 'hurtbox'
import { createPlace } from 'hurtbox/picture'
import { HEIGHT, type Pit, SWORD_REACH, WIDTH } from '../game/rules.ts'

const place = createPlace()

export const view: View<Pit> = {
  help: ['Slimes come from the corners. A swing hits all that are in reach.'],
  target: 'canvas',
  bounds: () => ({ minX: 0, minY: 0, maxX: WIDTH, maxY: HEIGHT }),
  controls: {
    // Keys go by their place on the keyboard. `touch` is the word on a button of a phone.
    fields: {
      moveX: { kind: 'axis', less: ['KeyA', 'ArrowLeft'], more: ['KeyD', 'ArrowRight'], stick: 'leftX', label: 'walk' },
      moveY: { kind: 'axis', less: ['KeyW', 'ArrowUp'], more: ['KeyS', 'ArrowDown'], stick: 'leftY', label: 'walk' },
      attack: { kind: 'press', keys: ['Space'], pad: [0], touch: 'Swing', label: 'swing the sword' },
    },
    sticks: { left: 'Walk' },
  },
  hud(world, seat) {
    const slain = Array.from(players(world), ({ score }) => score)
    const score = { label: 'slain', value: slain.join(' : ') }
    // Who only watches has no knight.
    const own = playerAt(world, seat)?.thing
    if (own === undefined) return [score]
    const { hp, maxHp } = own
    return [score, { label: 'health', value: hp, max: maxHp, tone: hp < 0.3 * maxHp ? 'bad' : 'good' }]
  },
  create: ({ context }) => ({
    draw({ after, place: placeOf, seat }) {
      context!.fillStyle = '#1f2733'
      context!.fillRect(0, 0, WIDTH, HEIGHT)
      const own = playerAt(after, seat)?.thing
      for (const now of each(after)) {
        // Between two ticks, and without a jump where a prediction was corrected.
        if (!placeOf(now.id, place)) continue
        context!.save()
        context!.translate(place.x, place.y)
        const isOwn = now.id === own?.id
        drawThing(context!, now, after.clock, isOwn ? '#ffc94d' : now.layer === 'knight' ? '#5aa2ff' : '#63c174')
        context!.restore()
      }
    },
  }),
}

function drawThing(context: CanvasRenderingContext2D, drawn: Thing<Pit>, clock: number, colour: string): void {
  const { radius, hp, maxHp } = drawn
  context.globalAlpha = hp > 0 ? 1 : 0.25
  if (drawn.swingEndsAt > clock) {
    const facing = Math.atan2(drawn.facingY, drawn.facingX)
    context.fillStyle = '#ffffff55'
    context.beginPath()
    context.moveTo(0, 0)
    context.arc(0, 0, SWORD_REACH, facing - Math.PI / 3, facing + Math.PI / 3)
    context.fill()
  }
  context.fillStyle = colour
  context.beginPath()
  context.arc(0, 0, radius, 0, 2 * Math.PI)
  context.fill()
  if (drawn.invulnerableUntil > clock) {
    context.strokeStyle = '#fff'
    context.lineWidth = 2
    context.stroke()
  }
  context.fillStyle = '#e4584d'
  context.fillRect(-radius, -radius - 8, (2 * radius * hp) / maxHp, 3)
}
