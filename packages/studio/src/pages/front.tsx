/** The front page: every game as a card with a match of bots in it, played by the real engine. */

import { createRest, createStage, drawStage, isResting, type Stage } from '@hurtbox/view/stage'
import { useSignal } from '@preact/signals'
import type { LoadedModule } from 'hurtbox/module'
import { useEffect, useRef } from 'preact/hooks'
import { loadShownGame, type ShownGame } from '../draw/views.ts'
import { theClient } from '../model/client.ts'
import { randomSeed, setupFor } from '../model/setup.ts'
import { closeShow, createShow, restartShow, type Show, takePicture, tickShow } from '../show/show.ts'
import { cardOf, gameNames } from '../sim/games.ts'
import { Logo } from '../ui/logo.tsx'
import { onEachFrame } from '../ui/loop.ts'
import { messageOf, titleOf } from '../words.ts'
import { Hero } from './hero.tsx'
import { Rooms } from './rooms.tsx'

export function FrontPage() {
  useEffect(() => {
    document.title = 'Hurtbox studio'
  }, [])
  return (
    <div class="front">
      <header class="hero">
        <div>
          <div class="brand">
            <Logo size={40} />
            <span>Hurtbox</span>
          </div>
          <h1>
            One combat engine. <em>Every hit explained.</em>
          </h1>
          <p>
            These matches are played in your browser, by the same deterministic step a server would run. Point at one to
            watch it. Open it: play, rewind, see its boxes, turn its numbers, ask why a hit did or did not count.
          </p>
        </div>
        <Hero game={gameNames[0]} />
      </header>
      <main class="cards">
        {gameNames.map((name) => (
          <Card key={name} name={name} />
        ))}
        <a class="card card-lab" href={`#game=${gameNames[0]}&page=lab`}>
          <div class="card-picture lab-picture" aria-hidden="true">
            <span class="lab-node">A</span>
            <span class="lab-wire" />
            <span class="lab-node lab-server">S</span>
            <span class="lab-wire" />
            <span class="lab-node">B</span>
          </div>
          <div class="card-text">
            <h2>Network lab</h2>
            <p>
              Two clients and a server in one page. Turn latency, jitter and loss; watch prediction and corrections.
            </p>
          </div>
        </a>
      </main>
      <Rooms />
      <footer class="front-foot">
        <span>No server needed. Works offline after the first visit.</span>
        <span>
          Press <kbd>?</kbd> in a game for its keys.
        </span>
      </footer>
    </div>
  )
}

/** A card of which so much is in sight is looked at; on a screen without a pointer, all of it. */
const SEEN_PART = 0.35
const WHOLE = 0.95
/** How somebody turns to a card. */
const TURNS = ['pointerenter', 'focus'] as const

/** Seconds into the match at which a card begins: late enough for some action. */
const BEGIN_SECONDS = 30

function Card({ name }: { name: string }) {
  const picture = useRef<HTMLDivElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  const card = cardOf(name)
  const module = useSignal<LoadedModule | undefined>(undefined)
  const failure = useSignal('')

  useEffect(() => {
    let stop = () => {}
    let isGone = false
    const begin = () =>
      loadShownGame(name).then(
        (loaded) => {
          if (isGone || picture.current === null) return
          module.value = loaded.module
          stop = playCard(picture.current, loaded, waits)
        },
        (error) => {
          failure.value = messageOf(error)
        },
      )
    // A game is loaded when somebody turns to its card: until then a still is enough. The first is there at once, because the
    // hero plays the same game, and so is each that has no still. Where nothing can be pointed at, a card that was scrolled
    // into sight is turned to.
    const turning = new AbortController()
    const turn = () => {
      turning.abort()
      observer.disconnect()
      void begin()
    }
    const waits = card !== undefined && name !== gameNames[0]
    if (waits) {
      for (const kind of TURNS) link.current?.addEventListener(kind, turn, { signal: turning.signal })
    }
    const isTouch = matchMedia('(hover: none)').matches
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry.isIntersecting && (!waits || isTouch)) turn()
      },
      { threshold: waits ? WHOLE : SEEN_PART },
    )
    observer.observe(picture.current!)
    return () => {
      isGone = true
      turning.abort()
      observer.disconnect()
      stop()
    }
  }, [name])

  return (
    <a ref={link} class="card" href={`#game=${name}`} data-game={name}>
      <div class="card-picture" aria-hidden="true">
        {card !== undefined && card.still !== '' && name !== gameNames[0] && (
          <img alt="" loading="lazy" src={card.still} />
        )}
        <div class="card-live" ref={picture} />
      </div>
      <div class="card-text">
        <h2>{module.value?.title ?? card?.title ?? titleOf(name)}</h2>
        <p>{failure.value || module.value?.about || module.value?.goal || card?.about}</p>
        <span class="card-play">Play</span>
      </div>
    </a>
  )
}

/** Plays a match of bots in the card while it is in sight: with the game's own renderer if somebody looks at it. Gives what ends it. */
function playCard(element: HTMLElement, { module, view }: ShownGame, isLookedAt: boolean): () => void {
  const begin = Math.round(module.game.declaration.tickRate * BEGIN_SECONDS)
  const show: Show = createShow(theClient(), module, setupFor(module, randomSeed(), -1), begin)
  let stage: Stage = createStage(element, module, view, isLookedAt ? 'live-card' : 'card')
  stage.watched = 0
  // Who looks closer sees the game as it is: a renderer of its own is loaded only then.
  const looking = new AbortController()
  const lookCloser = () => {
    looking.abort()
    stage.close()
    stage = createStage(element, module, view, 'live-card')
    stage.watched = 0
  }
  const card = element.closest('a')
  if (view.target === 'own' && !isLookedAt) {
    for (const kind of TURNS) card?.addEventListener(kind, lookCloser, { signal: looking.signal })
  }
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  let isInSight = false
  const observer = new IntersectionObserver(([entry]) => {
    isInSight = entry.isIntersecting
    show.playing.value = isInSight && !isStill
  })
  observer.observe(element)
  const rest = createRest()
  const endLoop = onEachFrame((nowMs, elapsedMs) => {
    if (!isInSight) return true
    tickShow(show, elapsedMs)
    const { drawing, width, height } = stage
    const shown = [stage, drawing, width, height, show.states.after, show.states.after.tick, show.jumped]
    const rests = isResting(rest, nowMs, shown) && !show.playing.value
    const picture = rests ? undefined : takePicture(show)
    if (picture !== undefined) drawStage(stage, picture, nowMs)
    if (show.over.value !== '' && !show.playing.value && !isStill) {
      restartShow(show, { ...show.setup, seed: randomSeed() }, begin)
      show.playing.value = true
    }
    return rests
  })
  return () => {
    endLoop()
    observer.disconnect()
    looking.abort()
    stage.close()
    closeShow(show)
  }
}
