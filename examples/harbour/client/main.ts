/**
 * The page: alone, with anybody, in a private room (`#room=…` is the invitation), or watching one (`#watch=…`). With `?bot` a bot plays this
 * page's seat.
 */

import { type JoinChoices, joinGame } from '@hurtbox/colyseus/client'
import { playOffline } from '@hurtbox/view'
import { type Player, playerAt, type World } from 'hurtbox'
import type { Match } from 'hurtbox/picture'
import { brawler } from '../game/bots.ts'
import module from '../game/index.ts'
import type { Harbour } from '../game/rules.ts'
import { beep } from './sound.ts'
import { show } from './view.ts'

const [stage, score, status] = ['#stage', '#score', '#status'].map((id) => document.querySelector<HTMLElement>(id)!)
const SERVER = new URL('.', location.href).href
const isBot = new URLSearchParams(location.search).has('bot')
const held = new Set<string>()
const pressed = new Set<string>()
addEventListener('keydown', ({ code, repeat }) => {
  held.add(code)
  if (!repeat) pressed.add(code)
})
addEventListener('keyup', ({ code }) => held.delete(code))
addEventListener('blur', () => held.clear())

function readInput(world: World<Harbour>, player: Player<Harbour> | undefined) {
  if (isBot && player !== undefined) return brawler.think(world, player, 1)
  const isHeld = (code: string) => (held.has(code) ? 1 : 0)
  const wasPressed = (code: string) => (pressed.delete(code) ? 1 : 0)
  return {
    moveX: isHeld('ArrowRight') - isHeld('ArrowLeft'),
    jump: wasPressed('ArrowUp'),
    hold: held.has('ArrowUp'),
    drop: wasPressed('ArrowDown'),
    dart: wasPressed('KeyX'),
    parry: wasPressed('KeyC'),
    grab: wasPressed('KeyV'),
  }
}

let close = () => {}
/** What is played and drawn, for the console and the test. */
const shown = { match: undefined as Match<Harbour> | undefined, game: undefined as unknown }
Object.assign(globalThis, { harbour: shown })

function play(match: Match<Harbour>): void {
  close()
  // What is certain is heard once; one's own parry at once.
  match.on('damage', { confirmed: () => beep(220) })
  match.on('parried', { predicted: () => beep(520) })
  match.on('kill', { confirmed: () => beep(110, 0.3) })
  match.on('flagHome', { confirmed: () => beep(660, 0.4) })
  const game = show(stage, match, {
    input: (_tick, world) => readInput(world, playerAt(world, match.seat)),
    frame: ({ after: { globals } }) => void (score.textContent = `${globals.score1} : ${globals.score2}`),
  })
  Object.assign(shown, { match, game })
  close = () => {
    game.destroy(true)
    void match.leave()
  }
}

async function join(choices: JoinChoices): Promise<void> {
  try {
    const match = await joinGame(SERVER, module, choices)
    await match.whenPlaying()
    play(match)
    if (match.code !== '')
      status.textContent = `${SERVER}#room=${match.code} to join, ${SERVER}#watch=${match.room.roomId} to watch`
  } catch (error) {
    status.textContent = String(error)
  }
}

/** A friend's link. */
function enter(): boolean {
  const [, what, room] = /^#(room|watch)=(.+)$/.exec(location.hash) ?? []
  if (room !== undefined) void join(what === 'watch' ? { roomId: room, spectate: true } : { code: room })
  return room !== undefined
}

document.querySelector('#private')!.addEventListener('click', () => void join({ private: true }))
document.querySelector('#online')!.addEventListener('click', () => void join({}))
addEventListener('hashchange', enter)
if (!enter()) play(playOffline(module, { seed: Date.now() % 1_000_000 }))
