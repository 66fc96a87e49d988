/** The page of the network lab: client, server, client side by side; wires below; the scrub bar under all of it. */

import type { View } from '@hurtbox/view'
import { createHand, createKeyboard, keysOf, readHand } from '@hurtbox/view/hand'
import { createRest, isResting } from '@hurtbox/view/stage'
import { type Signal, signal, useSignal } from '@preact/signals'
import type { LoadedModule } from 'hurtbox/module'
import { type AnyWorld, createEmptyWorld } from 'hurtbox/tools'
import { useEffect, useRef } from 'preact/hooks'
import { createStudioStage, drawStudioStage, type StudioStage } from '../draw/stage.ts'
import { loadShownGame } from '../draw/views.ts'
import {
  advanceLab,
  type Conditions,
  createLab,
  DEFAULT_CONDITIONS,
  type Lab,
  setConditions,
  settleLab,
} from '../lab/lab.ts'
import {
  compareSides,
  createSides,
  isGlowing,
  nextDisagreement,
  type Reading,
  readLab,
  type Side,
  viewPast,
  viewPresent,
} from '../lab/sides.ts'
import { randomSeed } from '../model/setup.ts'
import type { Teller } from '../model/words.ts'
import { type Moment, writeMoment } from '../show/moment.ts'
import { gameNames, nameOfGame } from '../sim/games.ts'
import { ComparedTable } from '../ui/compared.tsx'
import { Logo } from '../ui/logo.tsx'
import { onEachFrame } from '../ui/loop.ts'
import { Opening } from '../ui/opening.tsx'
import { PlayButton, SpeedSelect } from '../ui/time-controls.tsx'
import '../ui/style/match.ts'

/** `name` is that of its file, by which games are listed. */
type Loaded = { readonly module: LoadedModule; readonly view: View; readonly name: string; readonly seed: number }

export function LabPage({ moment }: { moment: Moment }) {
  const open = async () => {
    const { module, view } = await loadShownGame(moment.game)
    return { module, view, name: await nameOfGame(module.id), seed: moment.seed ?? randomSeed() }
  }
  return (
    <Opening open={open} waiting="Loading…">
      {(loaded) => <LabBench {...loaded} />}
    </Opening>
  )
}

/** What the parts of the page share. */
type Bench = Loaded & {
  readonly conditions: Signal<Conditions>
  readonly playing: Signal<boolean>
  readonly speed: Signal<number>
  readonly byHand: Signal<boolean>
  /** The host's tick to look at; −1 for now. */
  readonly looked: Signal<number>
  readonly reading: Signal<Reading | undefined>
}

/** Runs the lab and draws its sides on these elements. Returns the lab and what ends it. */
function runLab(elements: readonly HTMLElement[], bench: Bench): { running: Lab; end: () => void } {
  const { module, view, seed, conditions, playing, byHand, looked } = bench
  const running = createLab(module, seed, conditions.value)
  setConditions(running, conditions.value)
  const sides = createSides(running)
  const drawn: StudioStage[] = sides.map((_, i) => createStudioStage(elements[i], module, view))
  const gameKeys = keysOf(view.controls)
  const keyboard = createKeyboard({
    isGameKey: (code) => byHand.value && playing.value && gameKeys.has(code),
    onOtherKey: (event) => onKey(event, running, playing, looked),
  })
  const hand = createHand(keyboard)
  const read = () => {
    const { mirror } = running.clients[0]
    return readHand(hand, module.game, view.controls, mirror.world, mirror.seat)
  }
  let readAt = 0
  const rest = createRest()
  const endLoop = onEachFrame((nowMs, elapsedMs) => {
    const { tick } = running.clients[0].mirror.world
    const seen = [looked.value, tick, ...drawn.flatMap(({ drawing, width, height }) => [drawing, width, height])]
    if (isResting(rest, nowMs, seen) && !playing.value) return true
    if (playing.value) {
      looked.value = -1
      advanceLab(running, Math.min(elapsedMs, 100) * bench.speed.value, byHand.value ? read : undefined)
    }
    sides.forEach((side, i) => {
      drawSide(running, side, drawn[i], looked.value, nowMs)
    })
    if (nowMs - readAt < 100) return false
    readAt = nowMs
    bench.reading.value = readLab(running)
    return false
  })
  const end = () => {
    endLoop()
    keyboard.close()
    for (const stage of drawn) stage.close()
  }
  return { running, end }
}

function drawSide(running: Lab, side: Side, stage: StudioStage, looked: number, nowMs: number): void {
  const { client } = side
  stage.seat = client === 'server' ? -1 : client.mirror.seat
  const shown = looked >= 0 ? viewPast(running, side, looked) : viewPresent(running, side)
  if (shown === undefined) return
  stage.ghosts = shown.ghosts
  drawStudioStage(stage, shown.picture, nowMs)
  const isCorrected = client !== 'server' && isGlowing(running, client, looked)
  stage.element.parentElement?.classList.toggle('is-corrected', isCorrected)
}

function LabBench(loaded: Loaded) {
  const { module } = loaded
  const stages = useRef<(HTMLDivElement | null)[]>([])
  const lab = useRef<Lab | undefined>(undefined)
  const conditions = useSignal<Conditions>(DEFAULT_CONDITIONS)
  const playing = useSignal(true)
  const speed = useSignal(1)
  const byHand = useSignal(false)
  const looked = useSignal(-1)
  const reading = useSignal<Reading | undefined>(undefined)
  const isComparing = useSignal(false)
  const outcome = useSignal<{ readonly tick: number; readonly hashes: readonly string[] } | undefined>(undefined)

  useEffect(() => {
    document.title = 'Network lab · Hurtbox studio'
    const elements = stages.current.map((element) => element!)
    const { running, end } = runLab(elements, { ...loaded, conditions, playing, speed, byHand, looked, reading })
    lab.current = running
    return end
  }, [module])

  const change = (next: Partial<Conditions>) => {
    conditions.value = { ...conditions.value, ...next }
    if (lab.current !== undefined) setConditions(lab.current, conditions.value)
    outcome.value = undefined
  }
  const settle = () => {
    playing.value = false
    looked.value = -1
    if (lab.current !== undefined) outcome.value = settleLab(lab.current)
  }
  const clients = reading.value?.clients ?? []
  const labels = ['Client A', 'Server', 'Client B']
  return (
    <div class="lab">
      <LabBar loaded={loaded} byHand={byHand} />
      <main class="lab-stages">
        {labels.map((label, i) => (
          <section key={label} class={`lab-stage ${i === 1 ? 'is-server' : ''}`} data-testid={`lab-${i}`}>
            <div class="stage-canvases" ref={(element) => void (stages.current[i] = element)} />
            <h2>{label}</h2>
            {i !== 1 && clients[i === 0 ? 0 : 1] !== undefined && <Figures client={clients[i === 0 ? 0 : 1]} />}
          </section>
        ))}
      </main>
      <Wires conditions={conditions.value} speed={speed} change={change} />
      <footer class="transport">
        <PlayButton playing={playing.value} testId="lab-play" onClick={() => void (playing.value = !playing.value)} />
        <div class="scrub">
          <input
            type="range"
            aria-label="Tick of the server"
            data-testid="lab-scrub"
            min={reading.value?.firstTick ?? 0}
            max={reading.value?.tick ?? 1}
            value={looked.value >= 0 ? looked.value : (reading.value?.tick ?? 0)}
            onInput={(event) => {
              playing.value = false
              looked.value = Number(event.currentTarget.value)
            }}
          />
        </div>
        <div class="clock">
          <b>tick {looked.value >= 0 ? looked.value : reading.value?.tick}</b>
        </div>
        <button type="button" class="button" data-testid="lab-settle" onClick={settle}>
          Compare states
        </button>
        <button
          type="button"
          class={`button ${isComparing.value ? 'is-on' : ''}`}
          aria-expanded={isComparing.value}
          data-testid="lab-compare"
          onClick={() => {
            playing.value = false
            isComparing.value = !isComparing.value
          }}
        >
          Client against server
        </button>
        {outcome.value !== undefined && <Outcome {...outcome.value} />}
      </footer>
      {isComparing.value && !playing.value && lab.current !== undefined && (
        <Sides lab={lab.current} view={loaded.view} looked={looked} />
      )}
      <Desyncs clients={clients} />
    </div>
  )
}

function LabBar({ loaded: { module, name }, byHand }: { loaded: Loaded; byHand: Signal<boolean> }) {
  const game: string = module.game.declaration.id
  return (
    <header class="bar">
      <a class="bar-home" href="#games" aria-label="All games">
        <Logo />
      </a>
      <h1>Network lab</h1>
      <label class="field">
        <span>Game</span>
        <select
          aria-label="Game"
          value={name}
          onChange={(event) => {
            location.hash = writeMoment({ game: event.currentTarget.value, page: 'lab' })
          }}
        >
          {gameNames.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <div class="bar-space" />
      <button
        type="button"
        class={`toggle ${byHand.value ? 'is-on' : ''}`}
        onClick={() => void (byHand.value = !byHand.value)}
      >
        {byHand.value ? 'You play A' : 'A bot plays A'}
      </button>
      <a class="button quiet" href={writeMoment({ game })}>
        Play
      </a>
    </header>
  )
}

type WireProps = { conditions: Conditions; speed: Signal<number>; change: (next: Partial<Conditions>) => void }

/** The network between the three. */
function Wires({ conditions, speed, change }: WireProps) {
  return (
    <section class="lab-wires" aria-label="The network">
      <label class="field">
        <span>Path</span>
        <select
          aria-label="Path"
          value={conditions.kind}
          onChange={(event) => change({ kind: event.currentTarget.value as Conditions['kind'] })}
        >
          <option value="stream">socket</option>
          <option value="datagram">datagrams</option>
        </select>
      </label>
      <Knob
        label="Round trip"
        unit="ms"
        value={conditions.latencyMs}
        max={600}
        step={10}
        onChange={(latencyMs) => change({ latencyMs })}
      />
      <Knob
        label="Jitter"
        unit="ms"
        value={conditions.jitterMs}
        max={200}
        step={5}
        onChange={(jitterMs) => change({ jitterMs })}
      />
      <Knob
        label="Loss"
        unit="%"
        value={conditions.loss * 100}
        max={30}
        step={1}
        onChange={(percent) => change({ loss: percent / 100 })}
      />
      <Knob
        label="Input delay"
        unit="ms"
        value={conditions.inputDelay === 'adaptive' ? 0 : conditions.inputDelay}
        max={200}
        step={10}
        onChange={(inputDelay) => change({ inputDelay })}
      />
      <label class="field" title="No delay on a short way, up to 60 ms on a long one">
        <input
          type="checkbox"
          data-testid="lab-adaptive"
          checked={conditions.inputDelay === 'adaptive'}
          onChange={({ currentTarget }) => change({ inputDelay: currentTarget.checked ? 'adaptive' : 0 })}
        />
        <span>adaptive</span>
      </label>
      <SpeedSelect speed={speed} most={4} />
      <span class="legend">
        <i class="hurt">server now</i>
        <i class="push">last confirmed</i>
        <i class="hit">correction</i>
        <i class="seen">on the server: as A and B saw it</i>
      </span>
    </section>
  )
}

function Outcome({ tick, hashes }: { tick: number; hashes: readonly string[] }) {
  const isEqual = hashes.every((hash) => hash === hashes[0])
  return (
    <output
      class={isEqual ? 'agree' : 'failure'}
      data-testid="lab-outcome"
      data-equal={isEqual}
      data-hashes={hashes.join(' ')}
    >
      {isEqual ? `✓ all three agree at tick ${tick}: ${hashes[0]}` : `DIVERGED at tick ${tick}: ${hashes.join(' · ')}`}
    </output>
  )
}

/** What a client had predicted for the tick that is looked at, and what the server made of it. */
function Sides({ lab, view, looked }: { lab: Lab; view: View; looked: Signal<number> }) {
  const side = useSignal(0)
  const worlds = useRef<readonly [AnyWorld, AnyWorld] | undefined>(undefined)
  worlds.current ??= [0, 1].map(
    (): AnyWorld => createEmptyWorld(lab.module.game, { options: lab.host.world.options }),
  ) as never
  const tick = looked.value >= 0 ? looked.value : lab.host.world.tick
  const verdict = compareSides(lab, side.value, tick, worlds.current)
  const teller: Teller = {
    module: lab.module,
    view,
    seat: signal(-1),
    names: signal(new Map()),
    hovered: signal(0),
    show: { states: { before: worlds.current[1], after: worlds.current[1] }, isReady: signal(true) },
  }
  const next = () => {
    const found = nextDisagreement(lab, side.value, tick, worlds.current!)
    looked.value = found >= 0 ? found : nextDisagreement(lab, side.value, -1, worlds.current!)
  }
  return (
    <aside class="lab-sides" data-testid="lab-sides" data-tick={tick}>
      <div class="actions">
        <label class="field">
          <span>Client</span>
          <select
            value={String(side.value)}
            onChange={(event) => void (side.value = Number(event.currentTarget.value))}
          >
            {lab.clients.map(({ name }, i) => (
              <option key={name} value={String(i)}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="button" data-testid="lab-next" onClick={next}>
          Next disagreement
        </button>
      </div>
      <h3>Tick {tick}: as it was predicted, as it was played</h3>
      {verdict === undefined ? (
        <p class="muted">This client had not predicted that tick, or it is no longer kept.</p>
      ) : (
        <ComparedTable
          studio={teller}
          compared={verdict.compared}
          labels={{ here: `client ${lab.clients[side.value].name}`, there: 'server' }}
        />
      )}
    </aside>
  )
}

/** What came out differently at a client: the rules depend on something outside the world. */
function Desyncs({ clients }: { clients: Reading['clients'] }) {
  const reports = clients.flatMap(({ name, desyncs }) => desyncs.map((text) => `${name}: ${text}`))
  if (reports.length === 0) return null
  return (
    <section class="lab-desyncs failure" role="alert" data-testid="lab-desyncs">
      <b>Not the same at both ends, {reports.length} times.</b> Here is what the client has, there the server.
      {reports.slice(-3).map((text) => (
        <p key={text}>{text}</p>
      ))}
    </section>
  )
}

function Figures({ client }: { client: Reading['clients'][number] }) {
  const { name, path, lostUp, lostDown, lateShare, inputLead } = client
  const { rttMs, lead, corrections, depth, moved, kbPerSecond, words } = client
  const percent = (part: number) => (100 * part).toFixed(1)
  const rows = {
    path,
    'round trip': `${rttMs.toFixed(0)} ms`,
    'lost up, down': `${percent(lostUp)}, ${percent(lostDown)} %`,
    late: `${percent(lateShare)} %`,
    lead: `${inputLead.toFixed(0)} ticks`,
    ahead: `${lead} ticks`,
    corrections,
    deepest: `${depth} ticks`,
    moved: moved.toFixed(1),
    down: `${kbPerSecond.toFixed(1)} kB/s`,
  }
  return (
    <dl class="lab-figures" title={words}>
      {Object.entries(rows).map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-testid={`${label}-${name}`}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Knob(props: {
  label: string
  unit: string
  value: number
  max: number
  step: number
  onChange(value: number): void
}) {
  const { label, unit, value, max, step, onChange } = props
  return (
    <label class="lab-knob">
      <span>
        {label} <b>{Math.round(value)}</b> {unit}
      </span>
      <input
        type="range"
        aria-label={label}
        min={0}
        max={max}
        step={step}
        value={value}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
      />
    </label>
  )
}

function onKey(event: KeyboardEvent, lab: Lab, playing: Signal<boolean>, looked: Signal<number>): boolean {
  const step = { '.': 1, ',': -1 }[event.key]
  if (step !== undefined) {
    playing.value = false
    const from = looked.value >= 0 ? looked.value : lab.host.world.tick
    looked.value = Math.max(lab.firstTick, Math.min(lab.host.world.tick, from + step))
    return true
  }
  const isOnControl = event.target instanceof HTMLElement && event.target.matches('button, input, select, a')
  if ((event.key === ' ' && !isOnControl) || event.key === 'p') {
    playing.value = !playing.value
    return true
  }
  return false
}
