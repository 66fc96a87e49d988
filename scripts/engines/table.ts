/** Plain text tables for the terminal. */

/**
 * One line per row, columns padded. Columns that do not fit into `width` continue in a further block below, which
 * repeats the first column.
 */
export function table(header: readonly string[], rows: readonly (readonly string[])[], width: number): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  const blocks = splitColumns(widths, width)
  return blocks.map((columns) => [header, ...rows].map((row) => line(row, columns, widths)).join('\n')).join('\n\n')
}

function line(row: readonly string[], columns: readonly number[], widths: readonly number[]): string {
  return columns
    .map((column) => row[column]!.padEnd(widths[column]!))
    .join('  ')
    .trimEnd()
}

function splitColumns(widths: readonly number[], width: number): number[][] {
  const blocks: number[][] = [[0]]
  let used = widths[0]!
  for (let column = 1; column < widths.length; column++) {
    used += 2 + widths[column]!
    if (used > width && blocks.at(-1)!.length > 1) {
      blocks.push([0])
      used = widths[0]! + 2 + widths[column]!
    }
    blocks.at(-1)!.push(column)
  }
  return blocks
}
