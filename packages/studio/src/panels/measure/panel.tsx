/** Time by phase as a flame and over the last ticks, memory, pairs checked, and how full the tables are. */

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { colourOfSeries, drawChart } from '../../draw/chart.ts'
import { syncTest } from '../../model/proof.ts'
import { type Studio, worldOf } from '../../model/studio.ts'
import type { Figures, SyncAnswer } from '../../sim/protocol.ts'
import { allocationOf, flameOf, roomOf } from './data.ts'
import css from './panel.css?inline'

export { css }

/** Ticks of the mean tick. */
const RECENT = 120

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

  const { figures, ticks } = studio.figures
  const recent = figures.slice(-RECENT)
  const mean = recent.reduce((sum, { tickMs }) => sum + tickMs, 0) / Math.max(1, recent.length)
  const budget = 1000 / studio.module.game.declaration.tickRate
  const last = figures.at(-1)
  const allocated = allocationOf(ticks, figures)
  return (
    <div>
      <dl class="figures" data-testid="figures">
        <Figure label="tick" value={`${mean.toFixed(2)} ms`} note={`of ${budget.toFixed(1)}`} />
        <Figure label="draw" value={`${(studio.stages[0]?.drawMs ?? 0).toFixed(2)} ms`} note="a frame" />
        <Figure label="things" value={worldOf(studio).tables.things.count} />
        <Figure label="pairs checked" value={last?.checks ?? 0} />
        <Figure label="contacts" value={last?.contacts ?? 0} />
        <Figure label="hits" value={last?.hits ?? 0} />
        <Figure
          label="allocated"
          value={allocated === undefined ? '–' : `${(allocated / 1000).toFixed(1)} kB`}
          note={allocated === undefined ? 'not told here' : 'a tick'}
        />
      </dl>
      {recent.length === 0 && <p class="muted">Play some ticks to measure them.</p>}
      {phaseNames.value.length > 0 && recent.length > 0 && (
        <>
          <Flame figures={recent} phases={phaseNames.value} budget={budget} />
          <Chart
            studio={studio}
            title="ms by phase"
            names={phaseNames.value}
            isStacked
            read={({ phaseMs }) => phaseMs}
          />
          <Chart
            studio={studio}
            title="pairs checked, contacts"
            names={['checks', 'contacts']}
            read={({ checks, contacts }) => [checks, contacts]}
          />
          <Chart
            studio={studio}
            title="things, hits"
            names={['things', 'hits']}
            read={({ things, hits }) => [things, hits]}
          />
        </>
      )}
      <section>
        <h3>Room</h3>
        <table class="columns" data-testid="room">
          <tbody>
            {roomOf(worldOf(studio)).map(({ table, used, capacity, refused }) => (
              <tr key={table}>
                <th scope="row">{table}</th>
                <td>
                  {used} of {capacity}
                  {refused > 0 && <b class="failure"> {refused} refused</b>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
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

/** The mean of the last ticks, to the scale of the longest bar; a name is written where it fits. */
function Flame(props: { figures: readonly Figures[]; phases: readonly string[]; budget: number }) {
  const { figures, phases, budget } = props
  const bars = flameOf(figures, phases, budget)
  const tick = bars[1].to
  // The time there is may be a hundred times the tick: then it is cut off at the right.
  const whole = Math.max(tick, Math.min(budget, tick * 2), 1e-6)
  return (
    <figure class="flame" data-testid="flame">
      <figcaption>the mean tick, phase by phase</figcaption>
      {[0, 1, 2].map((depth) => (
        <div key={depth} class="flame-row">
          {bars
            .filter((bar) => bar.depth === depth)
            .map(({ name, from, to }, i) => {
              const wide = ((Math.min(to, whole) - from) / whole) * 100
              const label = `${name} ${(to - from).toFixed(3)} ms`
              return (
                <span
                  key={name}
                  data-phase={name}
                  title={`${label}, ${Math.round(((to - from) / Math.max(1e-9, tick)) * 100)} % of the tick`}
                  style={{ width: `${Math.max(0, wide)}%`, background: depth === 2 ? colourOfSeries(i) : '' }}
                >
                  {wide > 14 ? label : ''}
                </span>
              )
            })}
        </div>
      ))}
    </figure>
  )
}

type ChartProps = {
  studio: Studio
  title: string
  names: readonly string[]
  isStacked?: boolean
  read(figures: Figures): readonly number[]
}

function Chart({ studio, title, names, isStacked = false, read }: ChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const { figures } = studio.figures
    if (canvas.current === null) return
    drawChart(
      canvas.current,
      names.map((_, i) => figures.map((each) => read(each)[i] ?? 0)),
      isStacked,
    )
  }, [studio.pulse.value, names])
  return (
    <figure class="chart">
      <figcaption>
        {title}{' '}
        {names.map((name, i) => (
          <i key={name} style={{ color: colourOfSeries(i) }}>
            {name}{' '}
          </i>
        ))}
      </figcaption>
      <canvas ref={canvas} role="img" aria-label={title} />
    </figure>
  )
}
