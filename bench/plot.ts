export function pairsPlot(_lines: readonly unknown[]): string {
  return ''
}
