/**
 * Rules that can never be met, because nothing is ever on one of their layers.
 *
 * A rule that no scene has reached may only be rare. So the sources must agree: its layer is named nowhere but where it is declared, asked
 * for or listed in a rule; or the poser of its things gives all their boxes to other layers.
 */

import { readFileSync } from 'node:fs'
import { bare, propertyName, type SyntaxNode, walk } from 'hurtbox/lint'
import type { Finding } from '../finding.ts'
import { resolveImport } from '../resolve.ts'
import type { Source } from '../source.ts'
import { foundAt, isCallOf, keyOf, type Place, propertiesOf, propertyOf } from './place.ts'
import type { Watch } from './watch.ts'

/** A rule as it is written. */
type Written = {
  readonly name: string
  readonly layers: readonly string[]
  readonly place: Place
  /** The posers beside it, by layer. */
  readonly pose: SyntaxNode | undefined
}

export function unmetRules(
  rules: readonly Source[],
  files: readonly Source[],
  unreached: readonly string[],
  watch: Watch,
): Finding[] {
  if (files.some(setsLayers)) return []
  return rules.flatMap(rulesIn).flatMap(({ name, layers, place, pose }) => {
    if (!unreached.includes(name)) return []
    const empty = layers.find((layer) => !isEverOn(layer, watch) && !files.some((file) => namesLayer(file, layer)))
    if (empty !== undefined) {
      return foundAt(place, {
        rule: 'unmet-rule',
        name,
        message: `rule "${name}" can never be met: nothing is ever on layer ${empty}.`,
        instead: `Spawn things on it, spawn(world, '${empty}'), or pose boxes on it: addShape(boxes, shape, thing, '${empty}').`,
      })
    }
    const bare = layers.find((layer) => !watch.posed.get(phaseOf(watch, name))?.has(layer) && posesOthers(pose, layer))
    if (bare === undefined) return []
    return foundAt(place, {
      rule: 'unmet-rule',
      name,
      message: `rule "${name}" can never be met: the poser of ${bare} adds boxes on other layers only.`,
      instead: `A poser stands for the circle that a thing has without one: add it, addCircle(boxes, ${bare}).`,
    })
  })
}

function isEverOn(layer: string, { lived, posed }: Watch): boolean {
  return lived.has(layer) || [...posed.values()].some((layers) => layers.has(layer))
}

function phaseOf({ rules }: Watch, name: string): string {
  return rules.get(name) ?? ''
}

function rulesIn(source: Source): Written[] {
  const found: Written[] = []
  walk(source.program, (node, { resolve }) => {
    if (!isCallOf(node, /^collide$/)) return
    const [, given, options] = node.arguments
    const variable = given?.type === 'Identifier' ? resolve(given.name) : undefined
    const object = variable?.node.init ? bare(variable.node.init) : given
    for (const property of propertiesOf(object)) {
      const name = keyOf(property)
      const between = propertyOf(bare(property.value), 'between')
      const layers = (between?.value.elements ?? []).flatMap((element: SyntaxNode) => element?.value ?? [])
      if (name === undefined || between === undefined || layers.length !== 2) continue
      found.push({ name, layers, place: { source, node: between }, pose: propertyOf(options, 'pose')?.value })
    }
  })
  return found
}

/** Whether rows get their layer as a number, `things.layer[row] = 3`: names say nothing then. */
function setsLayers({ program }: Source): boolean {
  let found = false
  walk(program, ({ type, left }) => {
    if (type !== 'AssignmentExpression' || left.type !== 'MemberExpression') return
    const { object } = left
    found ||= (object.type === 'MemberExpression' ? propertyName(object) : object.name) === 'layer'
  })
  return found
}

/** Whether a text somewhere may put something on a layer: any that is the name, or may become it. */
function namesLayer({ program, imports, file }: Source, layer: string): boolean {
  let found = false
  walk(program, (node, { parents }) => {
    if (found) return
    if (node.type === 'Literal' && typeof node.value === 'string') {
      const parent = parents.at(-1)
      const isPart = parent?.type === 'BinaryExpression' && parent.operator === '+' && node.value !== ''
      if (isPart ? layer.includes(node.value) : node.value === layer) found = !onlyAsks(node, parents)
    } else if (node.type === 'TemplateLiteral') {
      const parts: readonly string[] = node.quasis.map(({ value }: SyntaxNode) => value.cooked)
      found = parts.every((part) => layer.includes(part))
    }
  })
  return found || imports.some(({ specifier }) => isInData(specifier, file, layer))
}

/** Maps and content may be data. */
function isInData(specifier: string, from: string, layer: string): boolean {
  if (!specifier.endsWith('.json')) return false
  const target = resolveImport(specifier, from)
  return target.kind !== 'file' || readFileSync(target.file, 'utf8').includes(JSON.stringify(layer))
}

/** In `layers` of the declaration, in `between`, in `each(world, layer)`, in a comparison, or as the name of something else. */
function onlyAsks(node: SyntaxNode, parents: readonly SyntaxNode[]): boolean {
  const parent = parents.at(-1)!
  if (parent.type === 'SwitchCase') return true
  if (parent.type === 'BinaryExpression') return /^[!=]==?$/.test(parent.operator)
  if (isCallOf(parent, /^each$/) && parent.arguments[1] === node) return true
  return parents.some((around, i) => {
    if (/^(?:between|damageTypes|streams|unit|help|name|about)$/.test(keyOf(around) ?? '')) return true
    const call = parents[i - 2]
    return keyOf(around) === 'layers' && call !== undefined && isCallOf(call, /^declareGame$/)
  })
}

/** Whether the poser of a layer adds boxes on other layers only, as far as that can be read. */
function posesOthers(pose: SyntaxNode | undefined, layer: string): boolean {
  const poser = propertyOf(pose, layer)?.value
  const boxes: string | undefined = poser && /Function/.test(poser.type) ? poser.params[1]?.name : undefined
  if (boxes === undefined) return false
  let isSure = true
  walk(pose!, (node) => {
    // Of another poser it counts where it names the layer.
    if (node.type === 'Literal' && node.value === layer) isSure = false
  })
  walk(poser!, (node, { parents }) => {
    if (node.type !== 'Identifier' || node.name !== boxes) return
    const call = parents.at(-1)
    if (call === poser) return
    const isOther = call !== undefined && isCallOf(call, /^add(?:Circle|Shape|Volume)$/) && hasLayer(call)
    const isMotion = call !== undefined && isCallOf(call, /^(?:sweepBox|turnBox)$/)
    if (!isOther && !isMotion) isSure = false
  })
  return isSure
}

/** A layer as a text: `addCircle(boxes, circle, 'sword')`, `addShape(boxes, shape, frame, 'sword')`. */
function hasLayer({ callee, arguments: given }: SyntaxNode): boolean {
  return typeof given[callee.name === 'addCircle' ? 2 : 3]?.value === 'string'
}
