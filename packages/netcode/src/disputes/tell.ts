/** A dispute in sentences: what `hurtbox dispute` prints, and what stands beside the pictures of its page. */

import type { Place } from 'hurtbox/picture'
import { readChange, splitIds, tellPhase } from 'hurtbox/tools'
import type { Party, SeenStory, Story } from './story.ts'

/** A part of the story: a headline and what belongs under it. */
export type Chapter = { readonly title: string; readonly lines: readonly string[] }

export function tellStory(story: Story): readonly Chapter[] {
  const { parties, tick, game, seed, verdict, screens, noScreens } = story
  const [first, second] = parties
  return [
    {
      title: `${game}, seed ${seed}, tick ${tick}: ${first.name} and ${second.name}, ${verdict}`,
      lines: [`${seconds(tick, story)} into the match.`],
    },
    { title: 'What was true', lines: truthLines(story) },
    ...screens.map((screen) => ({ title: `What ${screen.player} saw`, lines: screenLines(screen, story) })),
    ...(noScreens === '' ? [] : [{ title: 'What the players saw', lines: [noScreens] }]),
    { title: verdict === 'hit' ? 'Why it counted' : 'Why it did not count', lines: whyLines(story) },
    { title: `What the tick did to ${second.name}`, lines: changeLines(story) },
    { title: 'Without this hit', lines: futureLines(story) },
  ]
}

/** The story as plain text. */
export function storyText(story: Story): string {
  return tellStory(story)
    .map(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)].join('\n'))
    .join('\n')
}

function truthLines({ parties, boxes }: Story): string[] {
  const [first, second] = parties
  const lines = parties.map((party) => `${party.name} (id ${party.id}) ${whereIs(party)}.`)
  if (first.place && second.place) lines.push(`Their centres were ${short(distance(first.place, second.place))} apart.`)
  for (const { id, ago, x, y } of boxes) {
    if (ago === 0) continue
    const { name } = parties.find((party) => party.id === id)!
    lines.push(
      `Judged as the attacker saw it: ${name} at ${short(x)}, ${short(y)}, where it was ${short(ago)} ticks before.`,
    )
  }
  return lines
}

function whereIs({ place }: Party): string {
  return place === undefined ? 'appeared in this tick' : `was at ${at(place)}`
}

function screenLines(seen: SeenStory, story: Story): string[] {
  const { mode, frame, places, off, early, learned, mispredicted, screen } = seen
  const { tick, parties } = story
  const lines = [
    mode === 'mirror'
      ? `It predicts: when it acted in tick ${tick} it had the match up to tick ${frame.received} and showed ${short(frame.shown)}, ${short(frame.after - frame.received)} ticks of it predicted.`
      : `It shows what it is sent: when it acted in tick ${tick} it showed ${short(frame.shown)}, ${short(tick - frame.shown)} ticks (${ms(tick - frame.shown, story)}) before.`,
  ]
  parties.forEach(({ name, place }, i) => {
    const shown = places[i]
    if (shown === undefined) {
      lines.push(place === undefined ? `${name} was not there yet.` : `${name} was not on its screen.`)
    } else {
      const by = off[i]
      const wrong = by === undefined ? '' : by < 0.005 ? ', where it was' : `, ${short(by)} from where it was`
      lines.push(`${name} was drawn at ${at(shown)}${wrong}.`)
    }
  })
  if (mispredicted.length > 0) {
    const columns = mispredicted.map(
      ({ column, shown, truth }) => `${column} ${short(shown)} instead of ${short(truth)}`,
    )
    lines.push(`It had predicted the tick otherwise: ${parties[1].name} with ${columns.slice(0, 6).join(', ')}.`)
  }
  if (early !== undefined) {
    lines.push(early >= 0 ? `Its inputs came ${early} ticks early.` : `Its inputs came ${-early} ticks late.`)
  }
  lines.push(
    learned === undefined
      ? 'It never knew for certain.'
      : `It knew for certain ${learned.frames} frames (${Math.round(learned.ms)} ms) later.`,
  )
  const { isProven } = screen
  lines.push(
    isProven === undefined
      ? 'The client has sent no hash to compare this with.'
      : isProven
        ? "The client's own hash agrees with this."
        : "THE CLIENT'S OWN HASH DISAGREES: what it reported is not what it showed, or its state had diverged.",
  )
  return lines
}

function whyLines({ why, parties }: Story): string[] {
  if (why.length === 0) return ['No phase was about the two of them, and none changed both.']
  const nameOf = (id: number) => parties.find((party) => party.id === id)?.name ?? String(id)
  const ids = parties.map(({ id }) => id)
  const named = (text: string) =>
    splitIds(text, ids)
      .map((part) => (typeof part === 'string' ? part : nameOf(part)))
      .join('')
  return why.flatMap(({ phase, text, changes }) => [
    `${tellPhase(phase)}: ${shortNumbers(named(text))}`,
    ...changes.map((change) => {
      const { column, id, before, after } = readChange(change) ?? {}
      return `  ${shortNumbers(id === undefined ? named(change) : `${nameOf(id)}: ${column} ${before} → ${after}`)}`
    }),
  ])
}

function changeLines({ changes }: Story): string[] {
  const lines = changes.flatMap(({ phase, changes: columns }) => {
    // What appears has all its columns from here on; those that are 0 say nothing.
    const told = columns.filter(({ before, after }) => before !== undefined || after !== 0)
    if (told.length === 0) return []
    const parts = told.map(({ column, before, after }) => `${column} ${value(before)} → ${value(after)}`)
    return [`${tellPhase(phase)}: ${parts.join(', ')}`]
  })
  return lines.length > 0 ? lines : ['No phase changed it.']
}

function futureLines(story: Story): string[] {
  const { future, verdict, tick } = story
  if (verdict === 'no hit') return ['There was none.']
  if (future === undefined) return ['No rule of collide decided it, so it cannot be left out.']
  const { changes } = future
  if (changes.length === 0)
    return [`${ms(future.tick - tick, story)} later everything would be the same for all players.`]
  const people = [...new Set(changes.map(({ who }) => who))]
  return people.map((who) => {
    const own = changes.filter((change) => change.who === who)
    const parts = own.map(({ column, real, other }) => `${column} ${short(other)} instead of ${short(real)}`)
    return `${ms(future.tick - tick, story)} later ${who} would have ${parts.join(', ')}.`
  })
}

function value(number: number | undefined): string {
  return number === undefined ? 'nothing' : short(number)
}

function at({ x, y, z }: Place): string {
  return z === 0 ? `${short(x)}, ${short(y)}` : `${short(x)}, ${short(y)}, ${short(z)}`
}

function distance(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
}

function ms(ticks: number, { tickRate }: Story): string {
  const time = (1000 * ticks) / tickRate
  return time < 1000 ? `${Math.round(time)} ms` : `${short(time / 1000)} s`
}

function seconds(ticks: number, { tickRate }: Story): string {
  return `${(ticks / tickRate).toFixed(1)} s`
}

function short(number: number): string {
  return String(Math.round(number * 100) / 100)
}

function shortNumbers(text: string): string {
  return text.replace(/-?\d+\.\d{3,}(e-?\d+)?/g, (digits) => short(Number(digits)))
}
