/** A thing with a number that is not finite: it would be drawn nowhere, and the next hash of the state ends the match. */

import type { Finding } from '../finding.ts'
import type { Match } from '../match.ts'
import { locatePhase } from '../scan.ts'
import { lineOf, type Source } from '../source.ts'
import { locateWrite } from './locate-write.ts'
import type { NotFinite } from './watch.ts'

export function tellNotFinite(
  match: Match,
  files: readonly Source[],
  rules: readonly Source[],
  { column, value, id, layer, phase, tick }: NotFinite & { readonly tick: number },
): Finding {
  const caller = locateWrite(match, files, tick, column)
  const isDrawn = /^(?:x|y|z|radius|facing[XY])$/.test(column)
  return {
    check: 'sense',
    rule: 'not-finite',
    message: `${column} of ${layer} ${id} becomes ${value}${isDrawn ? ': it would be drawn nowhere' : ''}, and no state with it can be hashed.`,
    instead: 'Check before you divide, and before you take a square root: a length may be 0.',
    scene: match.scene.name,
    phase,
    tick,
    ...(caller === undefined
      ? locatePhase(rules, phase)
      : {
          file: caller.source.file,
          line: caller.line,
          column: caller.column,
          text: lineOf(caller.source, caller.line),
        }),
  }
}
