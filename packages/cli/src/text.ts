/** Text for people: numbers with groups, paths, rows in columns. */

import { realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'

/** 1234567 as 1,234,567. The same on every machine, whatever its language. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A number with at most three decimals. */
export function rounded(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}

/** A sentence whose long decimals are cut to six digits, or to those before the point if they are more. */
export function withShortNumbers(sentence: string): string {
  return sentence.replace(/(\d+)\.\d{6,}(e-\d+)?/g, (number, whole: string) =>
    String(Number(Number(number).toPrecision(Math.max(6, whole.length)))),
  )
}

/** Rows of cells, each column as wide as its widest cell, two spaces between. */
export function inColumns(rows: readonly (readonly string[])[], indent = '  '): string {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  return rows
    .map((row) => indent + row.map((cell, i) => (i < row.length - 1 ? cell.padEnd(widthOf(i)) : cell)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

/** `{ hurt: 12, killed: 3 }` as `hurt 12, killed 3`. */
export function listed(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${Number.isInteger(value) ? grouped(value) : rounded(value)}`)
    .join(', ')
}

/** A path as people read it. */
export function shown(file: string): string {
  const path = relative(realpathSync(process.cwd()), file)
  return path.startsWith(`..${sep}..`) ? file : path
}
