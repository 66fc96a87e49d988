/** A facing by which shapes are posed and that nothing ever sets: they look along +x for ever. */

import { propertyName, type SyntaxNode, walk } from 'hurtbox/lint'
import type { Finding } from '../finding.ts'
import type { Source } from '../source.ts'
import { foundAt, isCallOf, keyOf, type Place, propertyOf } from './place.ts'
import type { Watch } from './watch.ts'

const FACING = /^facing[XY]$/

export function unsetFacing(rules: readonly Source[], files: readonly Source[], watch: Watch): Finding[] {
  if (watch.hasFacing || files.some(setsFacing) || !rules.some(posesByFacing)) return []
  const [place] = rules.flatMap(declaredIn)
  if (place === undefined) return []
  return foundAt(place, {
    rule: 'unset-facing',
    name: 'facingX',
    message: 'shapes are posed by facingX and facingY, which nothing sets: they look along +x for ever.',
    instead:
      'Turn things: face(thing, dx, dy) of hurtbox/motion, or spawn them with a facing. If +x is meant, declare no facing.',
    isWarning: true,
  })
}

/** `thing.facingX = …`, `spawn(…, { facingX: 1 })`, and what of the engine or of other files may do it. */
function setsFacing({ program }: Source): boolean {
  let found = false
  walk(program, (node, { parents }) => {
    if (isCallOf(node, /^(?:face|defineAbilities|travel)$/)) found = true
    else if (node.type === 'MemberExpression' && FACING.test(propertyName(node) ?? '')) {
      // A column, rather than the value of one thing, may be written by anybody who has it.
      const parent = parents.at(-1)
      const isColumn =
        nameOf(node.object) === 'things' || (parent?.type === 'MemberExpression' && parent.object === node)
      const isTarget = parent?.type === 'AssignmentExpression' && parent.left === node
      found ||= isColumn || isTarget || parent?.type === 'UpdateExpression' || /Pattern$/.test(parent?.type ?? '')
    } else if (node.type === 'MemberExpression' && FACING.test(node.object.name ?? '')) {
      found = true
    } else if (node.type === 'Property' && FACING.test(keyOf(node) ?? '')) {
      const around = parents.at(-1)
      found ||= around?.type === 'ObjectExpression' && !isColumnType(node.value)
    }
  })
  return found
}

/** `addShape(boxes, blade, knight)`: by the columns of a thing, not by a frame that is made for it. */
function posesByFacing({ program }: Source): boolean {
  let found = false
  walk(program, (node) => {
    found ||= isCallOf(node, /^add(?:Shape|Volume)$/) && node.arguments[2]?.type === 'Identifier'
  })
  return found
}

function nameOf(node: SyntaxNode): string | undefined {
  return node.type === 'MemberExpression' ? propertyName(node) : node.name
}

function isColumnType({ type, value }: SyntaxNode): boolean {
  return type === 'Literal' && typeof value === 'string'
}

function declaredIn(source: Source): Place[] {
  const found: Place[] = []
  walk(source.program, (node) => {
    if (!isCallOf(node, /^declareGame$/)) return
    const column = propertyOf(propertyOf(node.arguments[0], 'things')?.value, 'facingX')
    if (column !== undefined) found.push({ source, node: column })
  })
  return found
}
