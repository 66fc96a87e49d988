import { useSignal } from '@preact/signals'
import { copyLink } from '../model/address.ts'
import { toggleInspect } from '../model/play.ts'
import { randomSeed } from '../model/setup.ts'
import type { Studio } from '../model/studio.ts'
import { playPause, restart, toggleSeat } from '../model/time.ts'
import { writeMoment } from '../show/moment.ts'
import { IconButton } from '../ui/icons.tsx'
import { Logo } from '../ui/logo.tsx'
import { SoundControl } from './sound-control.tsx'

export function Header({ studio }: { studio: Studio }) {
  const { show, module, seat } = studio
  const { scenes } = module
  const { setup } = show
  const isOwnScene = setup.seats.length === 0
  const seed = useSignal(String(setup.seed))
  if (studio.isUiHidden.value) {
    return (
      <header class="bar">
        <Home title={module.title} />
        <div class="bar-space" />
        <Pace studio={studio} />
        {studio.phase.value === 'on' && (
          <IconButton
            icon={show.playing.value ? 'pause' : 'play'}
            label={show.playing.value ? 'Pause' : 'Play'}
            title="Play or pause (P)"
            onClick={() => playPause(studio)}
          />
        )}
        <SoundControl />
        <HelpButton studio={studio} />
        <InspectButton studio={studio} />
      </header>
    )
  }
  return (
    <header class="bar">
      <Home title={module.title} />
      <label class="field">
        <span>Scene</span>
        <select
          aria-label="Scene"
          value={isOwnScene ? setup.scene : ''}
          onChange={(event) => {
            location.hash = writeMoment({ game: setup.game, scene: event.currentTarget.value })
          }}
        >
          <option value="">Match with bots</option>
          {scenes.map(({ name, about }) => (
            <option key={name} value={name} title={about}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault()
          if (/^\d{1,15}$/.test(seed.value)) restart(studio, Number(seed.value))
        }}
      >
        <span>Seed</span>
        <input
          class="seed"
          inputMode="numeric"
          aria-label="Seed; Enter restarts with it"
          value={seed.value}
          onInput={(event) => {
            seed.value = event.currentTarget.value
          }}
        />
        <IconButton
          icon="dice"
          label="New seed"
          title="New seed (Shift R)"
          onClick={() => {
            const next = randomSeed()
            seed.value = String(next)
            restart(studio, next)
          }}
        />
      </form>
      <div class="bar-space" />
      <button type="button" class={`toggle ${seat.value >= 0 ? 'is-on' : ''}`} onClick={() => void toggleSeat(studio)}>
        {seat.value >= 0 ? 'You play' : isOwnScene ? 'Play it by hand' : 'Bots play'}
      </button>
      <a class="button quiet" href={writeMoment({ game: setup.game, page: 'lab' })}>
        Network lab
      </a>
      <button
        type="button"
        class="button quiet"
        title="Copy a link to this tick (Y)"
        onClick={() => void copyLink(studio)}
      >
        Link
      </button>
      <Pace studio={studio} />
      <SoundControl />
      <HelpButton studio={studio} />
      <InspectButton studio={studio} />
    </header>
  )
}

/** How slow the match runs where the machine cannot keep up. */
function Pace({ studio: { show } }: { studio: Studio }) {
  if (!show.playing.value || show.pace.value >= 1) return null
  return (
    <span class="pace" data-testid="pace" title="This machine cannot keep up: the match runs slower than it should">
      slowed to {Math.max(0.1, show.pace.value)}×
    </span>
  )
}

function Home({ title }: { title: string }) {
  return (
    <>
      <a class="bar-home" href="#games" aria-label="All games">
        <Logo />
      </a>
      <h1>{title}</h1>
    </>
  )
}

function HelpButton({ studio }: { studio: Studio }) {
  return (
    <button
      type="button"
      class="icon"
      aria-label="Keys and help"
      title="Keys and help (?)"
      onClick={() => void (studio.isHelpOpen.value = true)}
    >
      ?
    </button>
  )
}

function InspectButton({ studio }: { studio: Studio }) {
  const isOpen = !studio.isUiHidden.value
  return (
    <button
      type="button"
      class={`toggle ${isOpen ? 'is-on' : ''}`}
      aria-pressed={isOpen}
      title="Time, boxes, why: open and close the panels (I)"
      data-testid="inspect"
      onClick={() => toggleInspect(studio)}
    >
      Inspect
    </button>
  )
}
