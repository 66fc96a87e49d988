/** Small charts on a canvas: lines over the last ticks, and time stacked by phase. */

const SERIES_COLOURS = ['#ff5468', '#5ef08c', '#5aa8ff', '#ffd166', '#c792ea', '#6ee7d8', '#ff9f5a', '#9fb4d8'] as const

export function colourOfSeries(place: number): string {
  return SERIES_COLOURS[place % SERIES_COLOURS.length]
}

/** `series` are lists of equal length, oldest first. Each is drawn as a line, or all on top of each other. */
export function drawChart(canvas: HTMLCanvasElement, series: readonly (readonly number[])[], isStacked: boolean): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const { clientWidth: width, clientHeight: height } = canvas
  const ratio = Math.min(2, globalThis.devicePixelRatio || 1)
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  const count = series[0]?.length ?? 0
  if (count === 0) return
  const top = Array.from({ length: count }, (_, i) => {
    const values = series.map((each) => each[i])
    return isStacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values)
  })
  const most = Math.max(...top, 1e-9)
  const x = (i: number) => (i / Math.max(1, count - 1)) * width
  const base = new Float64Array(count)
  const y = (value: number) => height - 2 - (value / most) * (height - 14)
  series.forEach((values, place) => {
    context.beginPath()
    for (let i = 0; i < count; i++) context.lineTo(x(i), y(base[i] + values[i]))
    if (isStacked) {
      for (let i = count - 1; i >= 0; i--) {
        context.lineTo(x(i), y(base[i]))
        base[i] += values[i]
      }
      context.fillStyle = colourOfSeries(place)
      context.fill()
    } else {
      context.strokeStyle = colourOfSeries(place)
      context.stroke()
    }
  })
  context.fillStyle = '#8f98ae'
  context.font = '9px ui-monospace, monospace'
  context.fillText(most < 10 ? most.toFixed(2) : String(Math.round(most)), 2, 9)
}
