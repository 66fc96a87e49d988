/**
 * A dispute as one file: the story with pictures, without scripts and without anything from elsewhere, to attach to a bug report.
 *
 * The pictures are plain: every thing is its circle, from above. What the game looks like needs its view and a browser; the studio
 * shows that.
 */

import { findRow, type Id } from 'hurtbox'
import type { Place } from 'hurtbox/picture'
import type { AnyWorld } from 'hurtbox/tools'
import { placeIn, type Screens, truthAt } from '../screens/screens.ts'
import type { Story } from './story.ts'
import { tellStory } from './tell.ts'

/** A circle to draw. */
type Dot = { readonly id: Id; readonly x: number; readonly y: number; readonly radius: number; readonly team: number }

type Picture = {
  readonly title: string
  readonly about: string
  readonly dots: readonly Dot[]
  /** The two, by the ids they have in this picture. */
  readonly pair: readonly [Id, Id]
  /** Outlines of where something really was, or was judged. */
  readonly ghosts: readonly (Dot & { readonly label: string })[]
}

const TEAM_COLOURS = ['#7ae582', '#4cc9ff', '#ff5d73', '#ffd166', '#c792ff', '#ff9f5a', '#5af0d0', '#ff8ad8'] as const

const STYLE = `body{margin:0;background:#10131c;color:#e8ecf5;font:15px/1.5 system-ui,sans-serif}
main{max-width:1100px;margin:0 auto;padding:24px}
h1{font-size:22px}h2{font-size:16px;margin:20px 0 4px;color:#9fd8ff}
p{margin:2px 0}.detail{padding-left:20px;color:#b9c2d6}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(300px,1fr));gap:16px;margin:16px 0}
figure{margin:0;background:#171b27;border:1px solid #2a3146;border-radius:8px;overflow:hidden}
figcaption{padding:8px 12px}figcaption b{display:block}figcaption span{color:#b9c2d6}
svg{display:block;width:100%;height:auto;background:#0b0e15}
footer{margin-top:24px;color:#8892aa;font-size:13px}`

/** The file, as HTML. `path` opens the same dispute in the studio, if there is one. */
export function storyPage(screens: Screens, story: Story, path = ''): string {
  const [headline, ...chapters] = tellStory(story)
  const body = chapters.map(({ title, lines }) => `<h2>${asHtml(title)}</h2>\n${lines.map(paragraph).join('\n')}`)
  const pictures = picturesOf(screens, story).map((picture) => draw(picture, story))
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${asHtml(headline.title)}</title>
<style>${STYLE}</style>
<main>
<h1>${asHtml(headline.title)}</h1>
${headline.lines.map(paragraph).join('\n')}
<div class="pictures">
${pictures.join('\n')}
</div>
${body.join('\n')}
<footer>Made by hurtbox dispute from the replay of the match and its track.${path === '' ? '' : ` <a href="${asHtml(path)}">Open it in the studio</a>`}</footer>
</main>
</html>
`
}

function paragraph(line: string): string {
  const isDetail = line.startsWith('  ')
  return `<p${isDetail ? ' class="detail"' : ''}>${asHtml(line.trim())}</p>`
}

function picturesOf(screens: Screens, story: Story): Picture[] {
  const { parties, tick } = story
  const truth = truthAt(screens, tick)
  const ids = [parties[0].id, parties[1].id] as const
  const seen = story.screens.map((each): Picture => {
    const { screen, player } = each
    const pair = [screen.idOf(ids[0], truth), screen.idOf(ids[1], truth)] as const
    const dots = [...screen.places].flatMap(([id, place]) => dotOf(screen.after, id, place) ?? [])
    const ghosts = ids.flatMap((id) => {
      const place = placeIn(truth, id)
      const dot = place && dotOf(truth, id, place)
      return dot === undefined ? [] : [{ ...dot, label: 'really' }]
    })
    const about = screen.mode === 'mirror' ? 'predicted' : 'as it was sent'
    return { title: `${player}'s screen`, about: `when it acted in tick ${tick}, ${about}`, dots, pair, ghosts }
  })
  const dots = listIds(truth).flatMap((id) => dotOf(truth, id, placeIn(truth, id)!) ?? [])
  const judged = story.boxes
    .filter(({ ago }) => ago > 0)
    .map(({ id, x, y, radius, ago }) => ({ id, x, y, radius, team: 0, label: `judged, ${ago.toFixed(1)} ticks ago` }))
  return [...seen, { title: 'The truth', about: `before tick ${tick}`, dots, pair: ids, ghosts: judged }]
}

function listIds({ tables: { things } }: AnyWorld): number[] {
  return [...things.id.subarray(0, things.count)]
}

function dotOf({ tables: { things } }: AnyWorld, id: Id, { x, y }: Place): Dot | undefined {
  const row = findRow(things, id)
  return row < 0 ? undefined : { id, x, y, radius: things.radius[row], team: things.team[row] }
}

/** The part of the world around the two. */
function frameOf({ dots, pair, ghosts }: Picture): { readonly x: number; readonly y: number; readonly size: number } {
  const two = [...dots.filter(({ id }) => pair.includes(id)), ...ghosts]
  const shown = two.length > 0 ? two : dots.length > 0 ? dots : [{ x: 0, y: 0, radius: 10 }]
  const [minX, maxX] = [Math.min(...shown.map(({ x }) => x)), Math.max(...shown.map(({ x }) => x))]
  const [minY, maxY] = [Math.min(...shown.map(({ y }) => y)), Math.max(...shown.map(({ y }) => y))]
  const radius = Math.max(...shown.map((dot) => dot.radius), 1)
  const size = Math.max(maxX - minX, maxY - minY) + 12 * radius
  return { x: (minX + maxX) / 2, y: (minY + maxY) / 2, size }
}

function draw(picture: Picture, { parties }: Story): string {
  const { x, y, size } = frameOf(picture)
  const thin = size / 250
  const circle = ({ x: cx, y: cy, radius }: Dot, attributes: string) =>
    `<circle cx="${fix(cx)}" cy="${fix(cy)}" r="${fix(Math.max(radius, thin))}" ${attributes}/>`
  const label = (at: Dot, text: string, colour: string) =>
    `<text x="${fix(at.x)}" y="${fix(at.y - at.radius - 2 * thin)}" font-size="${fix(size / 26)}" fill="${colour}" text-anchor="middle">${asHtml(text)}</text>`
  const dots = picture.dots.map((dot) => {
    const place = picture.pair.indexOf(dot.id)
    const colour = TEAM_COLOURS[dot.team % TEAM_COLOURS.length]
    const body = circle(
      dot,
      `fill="${colour}" fill-opacity="${place < 0 ? 0.25 : 0.55}" stroke="${place < 0 ? colour : '#ffffff'}" stroke-width="${fix(place < 0 ? thin / 2 : thin)}"`,
    )
    return place < 0 ? body : body + label(dot, parties[place].name, '#ffffff')
  })
  const ghosts = picture.ghosts.map(
    (ghost) =>
      circle(ghost, `fill="none" stroke="#ffb347" stroke-width="${fix(thin)}" stroke-dasharray="${fix(3 * thin)}"`) +
      label({ ...ghost, y: ghost.y + 2 * ghost.radius + size / 18 }, ghost.label, '#ffb347'),
  )
  const box = [x - size / 2, y - size / 2, size, size].map(fix).join(' ')
  return `<figure><svg viewBox="${box}" role="img" aria-label="${asHtml(`${picture.title}, ${picture.about}`)}">${dots.join('')}${ghosts.join('')}</svg><figcaption><b>${asHtml(picture.title)}</b><span>${asHtml(picture.about)}</span></figcaption></figure>`
}

function fix(number: number): string {
  return String(Math.round(number * 1000) / 1000)
}

function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
