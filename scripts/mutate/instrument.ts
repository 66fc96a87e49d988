/**
 * A source file with all of its mutants in it, one of which is switched on by number.
 *
 * So a test runs against hundreds of mutants in one warm process: nothing is transformed or loaded again. The code reads and
 * writes one global, `__M`: `a` is the number of the active mutant, `c` notes which were reached, `n` counts loops down, so
 * that a mutant that never ends is an error.
 */

import { forEachNode, type Mutant, type Node, parse } from './mutants.ts'

export type NumberedMutant = Mutant & { readonly number: number }

export type Switchboard = {
  a: number
  readonly c: Uint8Array
  n: number
}

type Site = {
  readonly start: number
  readonly end: number
  readonly isStatement: boolean
  /** Whether it is an expression at the beginning of a statement. */
  readonly opensStatement: boolean
  readonly mutants: NumberedMutant[]
}

export function instrument(source: string, mutants: readonly NumberedMutant[]): string {
  const program = parse(source)
  const sites = sitesOf(program, mutants)
  const guards = loopBodies(program)
  return render(0, source.length, 0)

  /** The text from `start` to `end`, with the sites in it from `first` on. */
  function render(start: number, end: number, first: number): string {
    let text = ''
    let at = start
    for (let s = first; s < sites.length && sites[s].start < end; s++) {
      const site = sites[s]
      if (site.start < at || site.end > end) continue
      // A line that began with a parenthesis would go on with the line before it.
      const opens = site.opensStatement && (first === 0 || site.start > start)
      text += `${plain(at, site.start)}${opens ? '0,' : ''}${switched(site, render(site.start, site.end, s + 1))}`
      at = site.end
    }
    return text + plain(at, end)
  }

  /** Text without sites, with guards in its loops. */
  function plain(start: number, end: number): string {
    let text = ''
    let at = start
    for (const guard of guards) {
      if (guard <= start || guard > end) continue
      text += `${source.slice(at, guard)}if(__M.n--<0)throw Error("endless");`
      at = guard
    }
    return text + source.slice(at, end)
  }
}

function switched({ isStatement, mutants }: Site, original: string): string {
  const reached = mutants.map(({ number }) => `__M.c[${number}]=1`).join(',')
  if (isStatement) return `if(${reached},__M.a===${mutants[0].number}){}else{${original}}`
  const others = mutants.map(({ number, replacement }) => `__M.a===${number}?(${replacement}):`).join('')
  return `(${reached},${others}(${original}))`
}

function sitesOf(program: Node, mutants: readonly NumberedMutant[]): readonly Site[] {
  const statements = new Set<number>()
  forEachNode(program, (node) => {
    if (node.type === 'ExpressionStatement') statements.add(node.start)
  })
  const sites: Site[] = []
  for (const mutant of mutants) {
    const { start, end, isStatement } = mutant
    const same = sites.find((site) => site.start === start && site.end === end && site.isStatement === isStatement)
    if (same !== undefined) same.mutants.push(mutant)
    else
      sites.push({ start, end, isStatement, opensStatement: !isStatement && statements.has(start), mutants: [mutant] })
  }
  // The wider first, a statement before its expression.
  return sites.sort((a, b) => a.start - b.start || b.end - a.end || Number(b.isStatement) - Number(a.isStatement))
}

/** Where the bodies of loops begin: behind their braces. */
function loopBodies(program: Node): number[] {
  const places: number[] = []
  forEachNode(program, ({ type, body }) => {
    if (!/^(For|While|DoWhile|ForOf)Statement$/.test(type)) return
    if ((body as Node).type === 'BlockStatement') places.push((body as Node).start + 1)
  })
  return places.sort((a, b) => a - b)
}
