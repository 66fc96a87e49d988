/** Dice by `world.entropy` in a game whose rooms draw none: a client that steps the match itself knows every roll before it is made. */

import { propertyName, type SyntaxNode, walk } from 'hurtbox/lint'
import type { LoadedModule } from 'hurtbox/module'
import type { Finding } from '../finding.ts'
import type { Source } from '../source.ts'
import { foundAt, keyOf, type Place } from './place.ts'
import { hasWord, type Project } from './project.ts'

export function undrawnEntropy(module: LoadedModule, rules: readonly Source[], project: () => Project): Finding[] {
  const { room, game } = module
  // Without rooms there is nobody to hide a roll from, and terminals are not told the seed.
  if (room === undefined || room.entropyEvery !== undefined || !hasMirrors(module) || isNameOfGame(game.tables))
    return []
  const [place] = rules.flatMap(readsIn)
  // A server may say it itself: gameRoom({ game, entropyEvery: 1 }).
  if (place === undefined || project().isCut || project().files.some(({ text }) => hasWord(text, 'entropyEvery')))
    return []
  return foundAt(place, {
    rule: 'undrawn-entropy',
    name: 'world.entropy',
    message:
      'world.entropy is read, and no room draws any: it then follows from the seed, so a mirror can know each roll before it is made.',
    instead:
      'Let the room draw it, room: { entropyEvery: 1 } of defineModule, or roll by a random stream of the declaration.',
    isWarning: true,
  })
}

function hasMirrors({ room, game }: LoadedModule): boolean {
  return room?.modes?.includes('mirror') ?? game.behaviour.visible === undefined
}

function isNameOfGame(tables: LoadedModule['game']['tables']): boolean {
  return Object.values(tables).some(({ columns }) => Object.hasOwn(columns, 'entropy'))
}

function readsIn(source: Source): Place[] {
  const found: Place[] = []
  walk(source.program, (node: SyntaxNode, { parents }) => {
    const isMember = node.type === 'MemberExpression' && propertyName(node) === 'entropy'
    const isPattern = node.type === 'Property' && parents.at(-1)?.type === 'ObjectPattern' && keyOf(node) === 'entropy'
    if (isMember || isPattern) found.push({ source, node })
  })
  return found
}
