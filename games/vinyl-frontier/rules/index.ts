/**
 * Vinyl Frontier, seed 003: the snapshot and command engine, with the server it was written for beside it.
 *
 * A tick is one step of a turn. The first of a turn takes the orders; every step everything drifts and meets; the last
 * one ends with the lasers.
 */

import { defineGame } from 'hurtbox'
import { declaration, legacy } from './declaration.ts'
import { hits } from './document/hits.ts'
import { announceEvents, settle } from './document/settle.ts'
import { aim } from './document/shots.ts'
import { fire as fireOld, moveAndMeet } from './legacy/phases.ts'
import { isOver, result, stats } from './match.ts'
import { tellingMeetings } from './meetings.ts'
import { giveTasks } from './orders.ts'
import { fire, simulate } from './original/physics.ts'
import { pipeline } from './pipeline/pipeline.ts'
import { bringRocks } from './returns.ts'
import { setup } from './setup.ts'
import { clearMessages, countStep, keepTime, move, orders } from './turn.ts'

export const vinylFrontier = defineGame(declaration, {
  setup,
  phases(options) {
    if (options.preset === 'original') {
      return { clearMessages, giveTasks, orders, simulate: tellingMeetings(simulate), fire, countStep }
    }
    if (legacy(options).collisions) {
      return {
        clearMessages,
        giveTasks,
        orders,
        moveAndMeet: tellingMeetings(moveAndMeet),
        fire: fireOld,
        keepTime,
        countStep,
      }
    }
    if (options.preset === 'commands') {
      return { clearMessages, giveTasks, orders, move, aim, pipeline, settle, keepTime, countStep }
    }
    return {
      clearMessages,
      giveTasks,
      ...(options.returns > 0 && { bringRocks }),
      orders,
      move,
      aim,
      hits: hits(options),
      settle,
      announceEvents,
      keepTime,
      countStep,
    }
  },
  isOver,
  result,
  stats,
})
