/**
 * `npm run measure -- pictures <kind> [names]`: takes pictures again, all of a kind or those that are named.
 */

import { drawArchitecture } from './architecture.ts'
import { takeCards } from './cards.ts'
import { takeFront } from './front.ts'
import { takeReadmeCards } from './readme-cards.ts'
import { takeScreenshots } from './screenshots.ts'
import { takeStates } from './states.ts'

type Kind = { readonly says: string; take(names: readonly string[]): Promise<void> }

const KINDS: Readonly<Record<string, Kind>> = {
  screenshots: { says: 'of the studio, for README and docs: docs/images/studio-*.png', take: takeScreenshots },
  'readme-cards': { says: 'of the games in the README, cut from the screenshots', take: takeReadmeCards },
  front: { says: 'the moving picture of the README', take: takeFront },
  cards: { says: "of the games on the studio's front page: card.webp beside each game", take: takeCards },
  architecture: { says: 'the drawing in docs/architecture.md', take: drawArchitecture },
  states: { says: 'of every game in every state on four screens, for looking at: .cache/states', take: takeStates },
}

const [kind = '', ...names] = process.argv.slice(2)
if (Object.hasOwn(KINDS, kind)) {
  await KINDS[kind].take(names)
} else {
  const known = Object.entries(KINDS).map(([name, { says }]) => `  ${name.padEnd(12)} ${says}`)
  const lines = ['npm run measure -- pictures <kind> [names]', ...known]
  if (kind !== '') lines.unshift(`There is no kind of pictures "${kind}".`)
  console.error(lines.join('\n'))
  process.exitCode = kind === '' ? 0 : 2
}
