/** What the events of Siege look like: numbers for what players do or suffer, and the fall of champions and towers. */

import { findRow } from 'hurtbox'
import { burst, type Effects, flash, note, ring, shake } from '../../view/effects.ts'
import { KIND } from '../rules/content/units.ts'
import type { SiegeKit } from './draw.ts'
import { isSeen, type SiegeFrame, sideOf } from './sight.ts'
import { SIDE_COLOURS } from './sprites.ts'

/** Events become light, as far as the side that looks can see them. */
export function react({ effects }: SiegeKit, frame: SiegeFrame): void {
  const side = sideOf(frame)
  for (const event of frame.events) show(effects, event, frame, side)
}

function show(effects: Effects, event: SiegeFrame['events'][number], frame: SiegeFrame, side: number): void {
  const { things } = frame.after.tables
  const seenRow = (id: number) => {
    const row = findRow(things, id)
    return row >= 0 && isSeen(frame.after, side, row) ? row : -1
  }
  switch (event.kind) {
    case 'damage': {
      const row = seenRow(event.victim)
      if (row < 0) return
      flash(effects, things.id[row], frame.nowMs)
      const isChampion = things.kind[row] === KIND.champion
      // Minions hit minions all the time; numbers are for what a player does or suffers.
      const attacker = findRow(things, event.attacker)
      const byChampion = attacker >= 0 && things.kind[attacker] === KIND.champion
      if (!isChampion && !byChampion) return
      const taken = Math.round(event.taken)
      note(
        effects,
        things.x[row],
        things.y[row] - 40,
        String(taken),
        isChampion ? 30 : 24,
        isChampion ? '#ff9a9a' : '#ffffff',
        event,
      )
      burst(effects, things.x[row], things.y[row], 6, 200, 9, 300, isChampion ? '#ff7a7a' : '#ffe9a8')
      return
    }
    case 'lastHit': {
      const row = findRow(frame.before.tables.things, event.victim)
      const { x, y } = frame.before.tables.things
      if (row >= 0) note(effects, x[row], y[row] - 30, `+${event.gold}`, 28, '#ffd54a')
      return
    }
    case 'championKilled': {
      const row = findRow(things, event.victim)
      if (row < 0) return
      const colour = SIDE_COLOURS[things.team[row]]
      burst(effects, things.x[row], things.y[row], 60, 500, 18, 900, colour)
      ring(effects, things.x[row], things.y[row], 30, 240, 700, colour)
      shake(effects, 20)
      return
    }
    case 'towerFell': {
      const row = findRow(frame.before.tables.things, event.tower)
      const { x, y } = frame.before.tables.things
      if (row < 0) return
      burst(effects, x[row], y[row], 120, 700, 26, 1400, '#ffb35c')
      burst(effects, x[row], y[row], 60, 300, 34, 1600, '#8a8f9f')
      ring(effects, x[row], y[row], 40, 420, 1000, '#ffe0a0')
      shake(effects, 30)
      return
    }
    case 'cast': {
      const row = seenRow(event.caster)
      if (row >= 0) ring(effects, things.x[row], things.y[row], 30, 80, 300, '#ffffff')
      return
    }
    case 'levelUp': {
      const row = seenRow(event.champion)
      if (row < 0) return
      ring(effects, things.x[row], things.y[row], 20, 130, 700, '#ffe08a')
      note(effects, things.x[row], things.y[row] - 60, `level ${event.level}`, 30, '#ffe08a')
      return
    }
    case 'recalled':
    case 'returned': {
      const row = seenRow(event.champion)
      if (row >= 0) ring(effects, things.x[row], things.y[row], 150, 20, 600, '#9fe8ff')
    }
  }
}
