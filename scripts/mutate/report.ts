/** What is known of the mutants: shares by area and class, and every survivor. */

import type { NumberedMutant } from './instrument.ts'
import { CLASSES, type MutantClass } from './mutants.ts'
import { type Area, digest, readSource, readVerdicts } from './plan.ts'

type Count = { killed: number; judged: number; chosen: number }
type Survivor = { readonly at: string; readonly text: string; readonly fate: string; readonly class: MutantClass }
type Score = {
  readonly name: string
  /** Per cent of the small ones; undefined where none is wanted. */
  readonly wanted: number | undefined
  readonly counts: Readonly<Record<MutantClass, Count>>
  readonly survivors: readonly Survivor[]
}
/** The areas that were asked for, each with its mutants but those listed as equivalent. */
type Wanted = readonly { readonly area: Area; readonly mutants: readonly NumberedMutant[] }[]

const GAMES_OWN = CLASSES.filter((each) => each !== 'small')

/** What is known of every area that was asked for. */
export function scoresOf(wanted: Wanted): Score[] {
  const verdicts = readVerdicts()
  return wanted.map(({ area, mutants }) => {
    const digests = new Map(area.sources.map((file) => [file, digest(readSource(file))]))
    const survivors: Survivor[] = []
    const counts = noCounts()
    for (const { id, class: kind, file, line, text } of mutants) {
      const count = counts[kind]
      count.chosen++
      const verdict = verdicts.get(`${id} ${digests.get(file)}`)
      if (verdict === undefined) continue
      count.judged++
      if (verdict.fate === 'killed') {
        count.killed++
        continue
      }
      const fate = verdict.leftOut === undefined ? verdict.fate : `${verdict.fate}, not all tests were run`
      survivors.push({ at: `${file}:${line}`, text, fate, class: kind })
    }
    return { name: area.name, wanted: area.wanted, counts, survivors }
  })
}

function noCounts(): Record<MutantClass, Count> {
  const none = CLASSES.map((each) => [each, { killed: 0, judged: 0, chosen: 0 }])
  return Object.fromEntries(none) as Record<MutantClass, Count>
}

function sum(counts: readonly Count[]): Count {
  const of = (field: keyof Count) => counts.reduce((all, each) => all + each[field], 0)
  return { killed: of('killed'), judged: of('judged'), chosen: of('chosen') }
}

function total(scores: readonly Score[]): Score {
  const counts = noCounts()
  for (const kind of CLASSES) counts[kind] = sum(scores.map((each) => each.counts[kind]))
  return { name: 'all', wanted: undefined, counts, survivors: [] }
}

function shareOf({ killed, judged }: Count): string {
  return judged === 0 ? '–' : `${((100 * killed) / judged).toFixed(1)} %`
}

export function asText(scores: readonly Score[], about: string): string {
  const living = scores.flatMap(({ survivors }) =>
    survivors.map((each) => `${each.at}  ${each.class}: ${each.text}  (${each.fate})`),
  )
  const rows = [...scores, total(scores)].map(({ name, counts }) => {
    const all = sum(Object.values(counts))
    const left = all.judged < all.chosen ? `, ${all.chosen - all.judged} not judged` : ''
    const own = sum(GAMES_OWN.map((kind) => counts[kind]))
    const parts = `small ${shareOf(counts.small).padStart(7)}, of games ${shareOf(own).padStart(7)}`
    return `${name.padEnd(36)} ${parts}  ${all.killed} of ${all.judged} killed${left}`
  })
  return [...living, ...(living.length > 0 ? [''] : []), ...rows, about].join('\n')
}

export function asPage(scores: readonly Score[], about: string): string {
  const everything = [...scores, total(scores)]
  const ownRows = everything
    .filter(({ counts }) => sum(GAMES_OWN.map((kind) => counts[kind])).chosen > 0)
    .map(({ name, counts }) => {
      const own = sum(GAMES_OWN.map((kind) => counts[kind]))
      const cells = GAMES_OWN.map((kind) => cellOf(counts[kind]))
      return `| ${[name, ...cells, `${own.killed} of ${own.judged}`, own.chosen - own.judged, shareOf(own)].join(' | ')} |`
    })
  const smallRows = everything
    .filter(({ counts }) => counts.small.chosen > 0)
    .map(({ name, wanted, counts: { small } }) => {
      const least = wanted === undefined ? '' : `${wanted} %`
      return `| ${name} | ${small.killed} | ${small.judged} | ${small.chosen - small.judged} | ${shareOf(small)} | ${least} |`
    })
  const lists = scores
    .filter(({ survivors }) => survivors.length > 0)
    .map(({ name, survivors }) => `## ${name}\n\n${survivors.map(lineOf).join('\n')}\n`)
  return `# Mutants

Mistakes in the rules of the games, in the rules and kits of the engine and in the hooks of the server, and how many of them the tests
notice. Golden hashes, README matches and generated tables do not count as tests. Written by
\`npm run measure -- mutate --report --write\`: ${about}
([equivalent.json](equivalent.json), each with its reason). _Not yet_: a file that has changed is judged again.
Below the tables: what survived. _Unreached_ is what no test runs.

## Mistakes of games

All of them. _Order_: two neighbouring phases or rules exchanged. _Timer_: a moment or a span one tick more or less. _Gate_: a gate or a
condition of a rule left out or turned round. _Who_: the two sides of a call exchanged. _Edge_: a threshold moved by what is equal to it.
_Number_: the last digit of a number in a table. _Branch_: a question about team, owner or layer not asked.

| area | ${GAMES_OWN.join(' | ')} | killed | not yet | share |
|---|${GAMES_OWN.map(() => '---:|').join('')}---:|---:|---:|
${ownRows.join('\n')}

## Small mistakes

A sample: one operator, one number, one statement.

| area | killed | judged | not yet | share | wanted |
|---|---:|---:|---:|---:|---:|
${smallRows.join('\n')}

${lists.join('\n')}`
}

function cellOf(count: Count): string {
  return count.judged === 0 ? '' : `${count.killed} of ${count.judged}`
}

function lineOf({ at, text, fate, class: kind }: Survivor): string {
  return `- ${at}: ${kind}, \`${text.replaceAll('`', "'")}\`${fate === 'survived' ? '' : ` (${fate})`}`
}
