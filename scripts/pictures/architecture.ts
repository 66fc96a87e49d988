/**
 * Draws docs/images/architecture.svg: one tick in the middle, the state beneath it, everything else around it.
 *
 * Places are given in units of a coarse grid, so that a box is moved by changing
 * one number.
 */

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Box = {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly title: string
  readonly lines?: readonly string[]
  readonly tone: Tone
}
type Tone = keyof typeof TONES
type Arrow = {
  readonly from: readonly [number, number]
  readonly to: readonly [number, number]
  readonly label?: string
}

const TONES = {
  step: { fill: '#fff1ec', edge: '#e4584d' },
  stage: { fill: '#ffffff', edge: '#e4584d' },
  state: { fill: '#eef4ff', edge: '#4f83e3' },
  outside: { fill: '#f1f8f4', edge: '#3f9e6e' },
} as const

const STAGES = [
  ['pose', 'boxes from things'],
  ['detect', 'grid, exact test'],
  ['order', 'canonical'],
  ['decide', 'gates, rules'],
  ['commit', 'moves, ledger'],
]

const boxes: Box[] = [
  {
    x: 20,
    y: 40,
    w: 150,
    h: 74,
    title: 'keys, touch, bots',
    lines: ['view: what was meant', 'bots: pure functions'],
    tone: 'outside',
  },
  {
    x: 20,
    y: 150,
    w: 150,
    h: 74,
    title: 'server',
    lines: ['host: one input per seat', 'and tick, confirmed'],
    tone: 'outside',
  },
  {
    x: 20,
    y: 260,
    w: 150,
    h: 74,
    title: 'replay file',
    lines: ['inputs as applied,', 'hashes to check by'],
    tone: 'outside',
  },
  { x: 230, y: 30, w: 620, h: 214, title: 'step(world, inputs)', tone: 'step' },
  { x: 246, y: 70, w: 92, h: 56, title: 'inputs', lines: ['codes, controls'], tone: 'stage' },
  { x: 352, y: 70, w: 140, h: 56, title: 'phases', lines: ['steer, fly, separate …'], tone: 'stage' },
  { x: 506, y: 70, w: 140, h: 56, title: 'collide', lines: ['a phase of five stages'], tone: 'stage' },
  { x: 660, y: 70, w: 174, h: 56, title: 'end of tick', lines: ['leaving rows are removed'], tone: 'stage' },
  ...STAGES.map(
    ([title, line], i): Box => ({ x: 246 + i * 119, y: 166, w: 111, h: 56, title, lines: [line], tone: 'stage' }),
  ),
  {
    x: 230,
    y: 268,
    w: 620,
    h: 84,
    title: 'the world: one block of memory',
    lines: [
      'header · tables: things, players, hits, your own · arrays · tuning',
      'snapshot = copy · restore = copy back, in place · hash = one pass · difference = table, row, column',
    ],
    tone: 'state',
  },
  {
    x: 910,
    y: 40,
    w: 170,
    h: 74,
    title: 'events',
    lines: ['read after the step:', 'views, logs, statistics'],
    tone: 'outside',
  },
  {
    x: 910,
    y: 150,
    w: 170,
    h: 74,
    title: 'view',
    lines: ['two states, one frame:', 'a damage number'],
    tone: 'outside',
  },
  {
    x: 910,
    y: 260,
    w: 170,
    h: 92,
    title: 'session',
    lines: ['log + snapshots: seek,', 'why, sync test, rollback,', 'verify'],
    tone: 'outside',
  },
]

const arrows: Arrow[] = [
  { from: [170, 77], to: [246, 92] },
  { from: [170, 187], to: [246, 110] },
  { from: [170, 290], to: [246, 122] },
  { from: [338, 98], to: [352, 98] },
  { from: [492, 98], to: [506, 98] },
  { from: [646, 98], to: [660, 98] },
  { from: [576, 126], to: [302, 166] },
  ...[0, 1, 2, 3].map((i): Arrow => ({ from: [357 + i * 119, 194], to: [365 + i * 119, 194] })),
  { from: [540, 244], to: [540, 268] },
  { from: [850, 80], to: [910, 77] },
  { from: [995, 114], to: [995, 150] },
  { from: [850, 300], to: [910, 300] },
  { from: [850, 280], to: [910, 200] },
]

const text = (x: number, y: number, size: number, weight: number, content: string) =>
  `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" text-anchor="middle">${content}</text>`

function drawBox({ x, y, w, h, title, lines = [], tone }: Box): string {
  const { fill, edge } = TONES[tone]
  const middle = x + w / 2
  const top = tone === 'step' ? y + 24 : y + h / 2 - lines.length * 7 + 4
  return [
    `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="8" fill="${fill}" stroke="${edge}"/>`,
    text(middle, top, 14, 600, title),
    ...lines.map((line, i) => text(middle, top + 17 + i * 15, 11, 400, line)),
  ].join('')
}

function drawArrow({ from: [x1, y1], to: [x2, y2] }: Arrow): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#5a6375" marker-end="url(#head)"/>`
}

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1100 372" font-family="system-ui, sans-serif" fill="#1c2230">
<title>From a key press to a damage number: inputs enter a step, phases change one block of memory, events and views read it.</title>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#5a6375"/></marker></defs>
<rect width="1100" height="372" fill="#fff"/>
${boxes.map(drawBox).join('\n')}
${arrows.map(drawArrow).join('\n')}
</svg>
`

export async function drawArchitecture(): Promise<void> {
  writeFileSync(fileURLToPath(new URL('../../docs/images/architecture.svg', import.meta.url)), svg)
}
