/** A small match for what draws: balls that roll, drop chips, and tell when they bounce. */

import { axis, declareGame, defineGame, despawn, each, emit, players, spawn } from 'hurtbox'
import { defineModule } from 'hurtbox/module'

export const declaration = declareGame({
  id: 'roll',
  tickRate: 50,
  seats: { min: 1, max: 4 },
  layers: { ball: [], chip: [] },
  things: { facingX: 'f64', facingY: 'f64', endsAt: 'timer' },
  input: { moveX: axis() },
  events: { bounce: { ball: 'id', speed: 'f64' }, goal: { team: 'u8' } },
})

export const game = defineGame(declaration, {
  onJoin(world, player) {
    player.thing = spawn(world, 'ball', { x: 10 * player.seat, y: 3, radius: 2, facingX: 1 })
  },
  phases: {
    roll(world) {
      for (const { thing: ball, moveX } of players(world)) {
        if (ball === undefined) continue
        ball.x += moveX
        if (moveX !== 0 && world.tick % 5 === 0) emit(world, 'bounce', { ball, speed: moveX })
      }
      if (world.tick % 10 === 0) spawn(world, 'chip', { x: world.tick, radius: 1, endsAt: world.clock + 5 })
      if (world.tick === 12) emit(world, 'goal', { team: 1 })
      for (const chip of each(world, 'chip')) if (chip.endsAt === world.clock) despawn(chip)
    },
  },
})

export const module = defineModule({
  game,
  bots: [{ name: 'still', about: 'rolls to the left', think: () => ({ moveX: -1 }) }],
  seating: { seats: 3 },
  meaning: { events: { goal: { is: 'score' }, bounce: { show: 'taken-back' } } },
})
