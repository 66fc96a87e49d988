/** Plots of the last ticks: time by phase, pairs checked, contacts, hits, things. uPlot is loaded when first looked at. */

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type uPlot from 'uplot'
import { syncTest } from '../../model/proof.ts'
import type { Studio } from '../../model/studio.ts'
import type { Figures, SyncAnswer } from '../../sim/protocol.ts'
import css from './panel.css?inline'

export { css }

const COLOURS = ['#ff5468', '#5ef08c', '#5aa8ff', '#ffd166', '#c792ea', '#6ee7d8', '#ff9f5a', '#9fb4d8']

type Plot = {
  readonly title: string
  readonly names: readonly string[]
  read(figures: Figures): readonly number[]
}

export function Panel({ studio }: { studio: Studio }) {
  void studio.pulse.value
  const phaseNames = useSignal<readonly string[]>([])
  const outcome = useSignal<SyncAnswer | 'running' | undefined>(undefined)
  useEffect(() => {
    studio.show.client.ask(studio.show.sim, { ask: 'phases' }).then(
      (names) => {
        phaseNames.value = names
      },
      () => {},
    )
  }, [studio])

  const { figures } = studio.figures
  const recent = figures.slice(-120)
  const mean = recent.reduce((sum, { tickMs }) => sum + tickMs, 0) / Math.max(1, recent.length)
  const budget = 1000 / studio.module.game.declaration.tickRate
  const last = figures.at(-1)
  return (
    <div>
      <dl class="figures" data-testid="figures">
        <Figure label="tick" value={`${mean.toFixed(2)} ms`} note={`of ${budget.toFixed(1)}`} />
        <Figure label="draw" value={`${(studio.stages[0]?.drawMs ?? 0).toFixed(2)} ms`} note="a frame" />
        <Figure label="things" value={last?.things ?? 0} />
        <Figure label="checks" value={last?.checks ?? 0} />
        <Figure label="contacts" value={last?.contacts ?? 0} />
        <Figure label="hits" value={last?.hits ?? 0} />
      </dl>
      {phaseNames.value.length > 0 && (
        <>
          <Chart
            studio={studio}
            plot={{ title: 'ms by phase', names: phaseNames.value, read: ({ phaseMs }) => phaseMs }}
          />
          <Chart
            studio={studio}
            plot={{
              title: 'pairs checked, contacts',
              names: ['checks', 'contacts'],
              read: (each) => [each.checks, each.contacts],
            }}
          />
          <Chart
            studio={studio}
            plot={{ title: 'things, hits', names: ['things', 'hits'], read: (each) => [each.things, each.hits] }}
          />
        </>
      )}
      <div class="actions">
        <button
          type="button"
          class="button"
          data-testid="synctest"
          disabled={outcome.value === 'running'}
          onClick={async () => {
            outcome.value = 'running'
            outcome.value = await syncTest(studio)
          }}
        >
          Sync test
        </button>
        <span data-testid="synctest-outcome">{describe(outcome.value)}</span>
      </div>
      <p class="muted">
        The sync test plays the match again, rolls back four ticks after every tick and compares every byte.
      </p>
    </div>
  )
}

function describe(outcome: SyncAnswer | 'running' | undefined): string {
  if (outcome === undefined) return ''
  if (outcome === 'running') return 'running…'
  return outcome.ok ? `✓ ${outcome.ticks} ticks, ${outcome.rollbacks} rollbacks, all equal` : `✕ tick ${outcome.tick}`
}

function Figure({ label, value, note }: { label: string; value: number | string; note?: string }) {
  return (
    <div>
      <dt>{label} </dt>
      <dd>
        {value} <small>{note}</small>
      </dd>
    </div>
  )
}

function Chart({ studio, plot }: { studio: Studio; plot: Plot }) {
  const element = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | undefined>(undefined)

  useEffect(() => {
    let isGone = false
    void loadPlot().then((Plot) => {
      if (isGone || element.current === null) return
      chart.current = new Plot(optionsFor(plot, element.current.clientWidth), dataOf(studio, plot), element.current)
    })
    return () => {
      isGone = true
      chart.current?.destroy()
    }
  }, [plot.names])

  useEffect(() => chart.current?.setData(dataOf(studio, plot)), [studio.pulse.value])

  return (
    <figure class="chart">
      <figcaption>{plot.title}</figcaption>
      <div ref={element} />
    </figure>
  )
}

async function loadPlot(): Promise<typeof uPlot> {
  await import('uplot/dist/uPlot.min.css')
  return (await import('uplot')).default
}

function optionsFor(plot: Plot, width: number): uPlot.Options {
  const axis = {
    stroke: '#8b93a7',
    grid: { stroke: '#232838', width: 1 },
    ticks: { show: false },
    size: 34,
    font: '10px system-ui',
  }
  return {
    width,
    height: 110,
    cursor: { show: true },
    legend: { show: plot.names.length <= 4 },
    scales: { x: { time: false } },
    axes: [{ ...axis, size: 22 }, axis],
    series: [
      { label: 'tick' },
      ...plot.names.map((label, i) => ({
        label,
        stroke: COLOURS[i % COLOURS.length],
        width: 1.25,
        points: { show: false },
      })),
    ],
  }
}

function dataOf(studio: Studio, plot: Plot): uPlot.AlignedData {
  const { ticks, figures } = studio.figures
  const series = plot.names.map((_, i) => figures.map((each) => plot.read(each)[i] ?? 0))
  return [[...ticks], ...series]
}
