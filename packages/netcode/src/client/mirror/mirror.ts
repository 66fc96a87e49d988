/**
 * A mirror: a client that steps the same world as the host.
 *
 * It has two worlds. `confirmed` runs the confirmed inputs and is compared with the host by hash; if it differs, it is
 * replaced by the host's state. `world` runs ahead of it with the player's own inputs, while other players repeat their last
 * ones (predict.ts); it is the one that is shown. Two worlds cost one more step per tick than one, and in return no predicted
 * state can get into what is compared.
 */

import { roundMs } from 'hurtbox/replay'
import type { AnyWorld } from 'hurtbox/tools'
import { ASK_AGAIN_MS, FRAME_CATCH_UP_TICKS, MAX_LEAD_TICKS, SPECTATOR } from '../../protocol/protocol.ts'
import { inputTick, untilInput } from '../clock.ts'
import { noteScreen } from '../screen-log.ts'
import { isPacketDue, makePacket, type OwnInput, sendLater } from '../sender.ts'
import { askForState } from './confirm.ts'
import { fadeCorrections } from './corrections.ts'
import { weighEffort } from './effort.ts'
import { movePace } from './pace.ts'
import { movePast } from './past.ts'
import { predictTick, reconcile, showBefore, skipTo } from './predict.ts'
import { type Mirror, PREDICTED_SLOTS } from './state.ts'

/**
 * Plays up to the present: as many ticks as are due. `read` is asked for the input of each tick that the host needs next. Call
 * it once per frame (or more often); the packet for the host is in `outbox`. Returns how many ticks were played.
 */
export function advanceMirror(mirror: Mirror, now: number, read: (tick: number, world: AnyWorld) => OwnInput): number {
  const { confirmed, clock, sender, inside, seat, pace } = mirror
  const isPlayer = seat !== SPECTATOR
  const furthest = confirmed.tick + MAX_LEAD_TICKS - 1
  // Once per frame, however many messages came: after a stall the same ticks would be stepped again and again.
  if (inside.hasNews) reconcile(mirror)
  const elapsedMs = roundMs(now) - roundMs(pace.at)
  weighEffort(mirror.effort, now, isPlayer ? clock.lead : 0)
  pace.mostAhead = mirror.effort.mostAhead
  const shown = movePace(pace, clock, now, isPlayer)
  const target = Math.min(Math.floor(shown), furthest)
  // A lead that shrinks is followed slowly: until then inputs are made a little earlier than they are needed.
  const inputsUpTo = Math.min(Math.max(inputTick(clock, now), Math.floor(shown + pace.delayTicks)), furthest)
  const codesOf = (tick: number) => sendLater(sender, tick, read(tick, mirror.world), now)
  const played = playTo(mirror, target, inputsUpTo, isPlayer ? codesOf : undefined)
  fadeCorrections(mirror.corrections, elapsedMs, mirror.world)
  movePast(mirror, elapsedMs)
  if (isPacketDue(sender, mirror.path, now - inside.packetAt, untilInput(clock, now))) {
    inside.packetAt = now
    mirror.outbox.push(makePacket(sender, confirmed.tick, 0))
  }
  if (inside.desyncedAt !== undefined && now - inside.askedAt >= ASK_AGAIN_MS) askForState(mirror, now)
  if (mirror.screens !== undefined) {
    const { world, before, outbox } = mirror
    const frame = { received: confirmed.tick, before: before.tick, after: world, shown, inputsUpTo: inside.playedUpTo }
    noteScreen(mirror.screens, now, frame, outbox)
  }
  return played
}

/** The player's codes for a tick; undefined where they are not known. */
type CodesOf = (tick: number) => Uint32Array | undefined

/** Plays up to `target` with inputs up to `inputsUpTo`. Returns how many ticks were played. */
export function playTo(mirror: Mirror, target: number, inputsUpTo: number, codesOf: CodesOf | undefined): number {
  const { world, inside } = mirror
  // Nothing is made up for before the first input: it would come late.
  if (inside.playedUpTo === 0) inside.playedUpTo = Math.max(inputsUpTo - 1, 0)
  // After a long stall the past is not played; the host has gone on without us.
  if (target - world.tick > FRAME_CATCH_UP_TICKS) skipTo(mirror, target - FRAME_CATCH_UP_TICKS)
  let played = 0
  for (;;) {
    // One tick at a time, so that each input is read from the newest state.
    if (codesOf) giveInputs(mirror, Math.min(inputsUpTo - (target - world.tick) + 1, inputsUpTo), codesOf)
    if (world.tick >= target || !predictTick(mirror)) break
    played++
  }
  if (played > 0) showBefore(mirror)
  return played
}

/** Reads the inputs of all ticks before `tick` that have none yet. */
function giveInputs({ inside, world }: Mirror, tick: number, codesOf: CodesOf): void {
  // After a stall nothing is made up for the ticks that were missed.
  const first = Math.max(inside.playedUpTo, world.tick, tick - FRAME_CATCH_UP_TICKS)
  for (let at = Math.max(inside.playedUpTo, first - PREDICTED_SLOTS); at < first; at++)
    inside.codes[at % PREDICTED_SLOTS] = undefined
  for (let at = first; at < tick; at++) {
    inside.codes[at % PREDICTED_SLOTS] = codesOf(at)
    inside.playedUpTo = at + 1
  }
}
