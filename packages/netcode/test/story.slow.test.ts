/** A dispute told: the truth, both screens, the reason, the phase, and the other future. */

import { findRow, listEvents, seek, why } from 'hurtbox'
import { defineModule, readModule } from 'hurtbox/module'
import { loadReplay, saveReplay } from 'hurtbox/replay'
import { judgeAsSeen } from 'hurtbox/rewind'
import { expect, test } from 'vitest'
import {
  type Question,
  readScreensOf,
  readStory,
  rebuildScreen,
  type Screens,
  type Story,
  storyPage,
  storyText,
  truthAt,
} from '../src/disputes/index.ts'
import { heldTag, play } from './disputes.ts'
import { tag } from './support.ts'

const module = readModule(
  {
    default: defineModule({
      game: tag,
      title: 'Tag <1>',
      meaning: {
        nameOf: (named, _world, playerName) =>
          named.layer === 'dart' ? `dart ${named.id}` : playerName((named.id - 1) % 8),
      },
    }),
  },
  'tag',
)

const { screens } = play(tag, { kind: 'stream', latencyMs: 90, jitterMs: 20 }, 400, 31)

/** The hits of the match on a seat's runner: the tick, the dart and the victim. Looked for once. */
function hitsOn(screensOf: Screens, seat: number): readonly Question[] {
  const known = foundHits.get(screensOf) ?? new Map<number, readonly Question[]>()
  foundHits.set(screensOf, known)
  const found = known.get(seat) ?? findHits(screensOf, seat)
  known.set(seat, found)
  return found
}

const foundHits = new WeakMap<Screens, Map<number, readonly Question[]>>()

function findHits({ session }: Screens, seat: number): Question[] {
  const found: Question[] = []
  for (let tick = 0; tick < session.log.length; tick++) {
    seek(session, tick)
    const darts = [...session.world.tables.things.id.subarray(0, session.world.tables.things.count)]
    seek(session, tick + 1)
    for (const event of listEvents(session.world)) {
      if (event.kind !== 'hit') continue
      const victim = event.victim as number
      const row = session.world.tables.players.thing.indexOf(victim)
      if (session.world.tables.players.seat[row] !== seat) continue
      const dart = darts.find((id) => why(session, tick, id, victim).some(({ verdict }) => verdict === 'accepted'))
      if (dart !== undefined) found.push({ tick, ask: [dart, victim] })
      seek(session, tick + 1)
    }
  }
  return found
}

test('[DI5] a story has the truth, the screens of both players, the reason, the phase, and how it was learned', () => {
  const hits = [0, 1].flatMap((seat) => hitsOn(screens, seat))
  expect(hits.length).toBeGreaterThan(3)
  const stories = hits.map((question) => readStory(module, screens, question))
  for (const [i, story] of stories.entries()) {
    const { ask, tick } = hits[i]
    expect([story.verdict, story.phase, story.tick]).toEqual(['hit', 'hits', tick])
    expect(story.parties.map(({ id }) => id)).toEqual(ask)
    expect(story.why.find(({ verdict }) => verdict === 'accepted')?.rule).toBe('dart hits runner')
    expect(story.changes.find(({ phase }) => phase === 'hits')?.changes.map(({ column }) => column)).toContain('hp')
    for (const { screen } of story.screens) {
      const [truth, dart] = [truthAt(screens, tick), ask[0]]
      const shown = screen.idOf(dart, truth)
      if (shown === 0) continue
      // Ids of a prediction may be another's; what is pointed at is a dart of the same thrower.
      const [{ things }, { things: real }] = [screen.after.tables, truth.tables]
      const [row, realRow] = [findRow(things, shown), findRow(real, dart)]
      expect([things.layer[row], things.owner[row]]).toEqual([real.layer[realRow], real.owner[realRow]])
    }
    const victim = story.screens.find(({ seat }) => seat === story.parties[1].seat)
    if (victim === undefined) continue
    // What was certain when the player acted did not have the hit yet; when it was learned, it did.
    expect(victim.frame.received).toBeLessThanOrEqual(tick)
    expect(victim.learned!.ms).toBeGreaterThan(90)
    expect(victim.early).toBeTypeOf('number')
    expect(victim.screen.isProven).not.toBe(false)
    const text = storyText(story)
    expect(text).toContain(`tick ${tick}: dart ${ask[0]} and P`)
    expect(text).toMatch(new RegExp(`phase hits: .*: dart ${ask[0]} and P\\d: accepted`))
    expect(text).toMatch(/\n {4}P\d: hp -?\d+ → -?\d+\n/)
    expect(text).not.toMatch(/\d and \d+:|of things id/)
    expect(text).toContain(
      `It knew for certain ${victim.learned!.frames} frames (${Math.round(victim.learned!.ms)} ms) later.`,
    )
  }
  // Somebody was hit by what its own prediction did not have.
  const unseen = stories.flatMap(({ screens: seen }) => seen.flatMap(({ mispredicted }) => mispredicted))
  expect(unseen.map(({ column }) => column)).toContain('hp')
})

test('[DI12] what a prediction has spawned is known by what it is: its id may be that of another thing', () => {
  let mistaken = 0
  for (const run of screens.runs.filter(({ mode }) => mode === 'mirror')) {
    for (let at = 300; at < run.frames.length; at += 9) {
      const frame = run.frames[at]
      if (frame.after > screens.session.log.length) break
      const { idOf, after } = rebuildScreen(screens, { run, at, frame })
      const truth = truthAt(screens, frame.after)
      const [{ things }, { things: real }] = [after.tables, truth.tables]
      const isAlike = (id: number, row: number) => {
        const shown = findRow(things, id)
        return shown >= 0 && things.layer[shown] === real.layer[row] && things.owner[shown] === real.owner[row]
      }
      for (let row = 0; row < real.count; row++) {
        const shown = idOf(real.id[row], truth)
        if (shown > 0) expect(isAlike(shown, row), `frame ${at}, thing ${real.id[row]}`).toBe(true)
        if (findRow(things, real.id[row]) >= 0 && !isAlike(real.id[row], row)) mistaken++
      }
    }
  }
  expect(mistaken, 'ids of others').toBeGreaterThan(0)
})

test('[DI6] the other future is the match without the hit, and only without it', () => {
  let compared = 0
  for (const question of [0, 1].flatMap((seat) => hitsOn(screens, seat))) {
    const { future, parties } = readStory(module, screens, question)
    const own = future!.changes.filter(({ who }) => who === parties[1].name)
    const hp = own.find(({ column }) => column === 'hp')
    // Unless it died and came back in one of the two.
    if (hp === undefined || own.some(({ column }) => column === 'teleports')) continue
    expect(hp.other - hp.real).toBe(40)
    compared++
  }
  expect(compared).toBeGreaterThan(2)
  const [{ tick, ask }] = hitsOn(screens, 1)
  const miss = readStory(module, screens, { tick: tick - 3, ask })
  expect([miss.verdict, miss.future]).toEqual(['no hit', undefined])
})

test('[DI7] a story without a track says so, and one about what is not there is refused', () => {
  const [question] = hitsOn(screens, 1)
  const replay = loadReplay(tag, saveReplay(screens.session))
  const blind = readScreensOf(replay, { packets: [], clients: [], terminal: {}, problem: undefined })
  const story = readStory(module, blind, question)
  expect(story.screens).toEqual([])
  expect(storyText(story)).toContain('There is no track of this match')
  const ask = (given: Question) => () => readStory(module, screens, given)
  expect(ask({ ...question, tick: 4000 })).toThrow('there is no tick 4000: the match has 400')
  expect(ask({ ...question, ask: [question.ask[1], 99_999] })).toThrow('there is no thing with id 99999 in tick')
})

test('[DI8] the page of a story is one file without scripts, with a picture per screen, and says what the text says', () => {
  const story = readStory(module, screens, hitsOn(screens, 1)[0])
  const html = storyPage(screens, story, '/#game=tag&replay="x"')
  expect(html).not.toMatch(/<script|src=|url\(|@import/)
  expect(html.match(/<svg/g)?.length).toBe(story.screens.length + 1)
  expect(html).toContain('Tag &lt;1&gt;')
  expect(html).toContain('href="/#game=tag&amp;replay=&quot;x&quot;"')
  const plain = html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
  for (const line of storyText(story).split('\n')) expect(plain).toContain(line.trim())
})

test('[DI11] where hits are judged as the attacker saw them, the story has the boxes of that moment', () => {
  const fair = judgeAsSeen(heldTag, { ticks: 24, between: [['dart', 'runner']] })
  const { screens: judged } = play(fair, { kind: 'stream', latencyMs: 60 }, 300, 5)
  const named = readModule({ default: defineModule({ game: fair }) }, 'fair')
  // Of darts that a terminal has thrown: its player saw the past, unless the victim had just come back to life.
  const stories: Story[] = []
  for (let seat = 0; seat < 6 && stories.length < 2; seat++) {
    for (const question of hitsOn(judged, seat)) {
      const story = readStory(named, judged, question)
      const isOfTerminal = story.parties[0].seat === 2 || story.parties[0].seat === 3
      if (isOfTerminal && story.boxes.some(({ ago }) => ago > 0)) stories.push(story)
    }
  }
  expect(stories.length).toBeGreaterThan(0)
  for (const story of stories) {
    const [, victim] = story.parties
    const past = story.boxes.filter(({ id, ago }) => id === victim.id && ago > 0)
    // Of that attacker's moment alone, though others attack the same victim.
    expect(new Set(past.map(({ ago }) => ago)).size).toBe(1)
    const attacker = story.screens.find(({ seat }) => seat === story.parties[0].seat)!
    expect(past[0].ago).toBeGreaterThan(2)
    expect(storyText(story)).toContain('Judged as the attacker saw it: ')
    expect(storyPage(judged, story)).toContain('judged, ')
    expect(attacker.mode).toBe('terminal')
  }
})
