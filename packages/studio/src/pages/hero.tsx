/**
 * The product in one small picture: a match is played back to a hit, slowly, with its boxes; then the rules say in words why it
 * counted. Live: by the same engine, the same worker and the same `why` as everything else here.
 */

import { nameNow, seatName } from '@hurtbox/view'
import { createRest, isResting } from '@hurtbox/view/stage'
import { useSignal } from '@preact/signals'
import { readChange, splitIds } from 'hurtbox/tools'
import { useEffect, useRef } from 'preact/hooks'
import { listContacts } from '../draw/overlay.ts'
import { createStudioStage, drawStudioStage, type StudioStage } from '../draw/stage.ts'
import { loadShownGame } from '../draw/views.ts'
import { theClient } from '../model/client.ts'
import { setupFor } from '../model/setup.ts'
import { closeShow, createShow, type Show, seekShow, takePicture, tickShow } from '../show/show.ts'
import { onEachFrame } from '../ui/loop.ts'

/** Seconds of the match before the hit, how slowly they are played, and how long the answer stands. */
const LEAD_SECONDS = 1.2
const SLOWLY = 0.5
const ANSWER_MS = 6500
const SEED = 5
/** Where the first hit is looked for. */
const FIRST_TICK = 60

/** What `why` said, with names for ids. */
type Answer = { readonly tick: number; readonly text: string; readonly changes: readonly string[] }

export function Hero({ game }: { game: string }) {
  const picture = useRef<HTMLDivElement>(null)
  const answer = useSignal<Answer | undefined>(undefined)
  useEffect(() => {
    let end = () => {}
    let isGone = false
    void loadShownGame(game).then(
      ({ module, view }) => {
        if (isGone || picture.current === null) return
        const show = createShow(theClient(), module, setupFor(module, SEED, -1), FIRST_TICK)
        const stage = createStudioStage(picture.current, module, view)
        Object.assign(stage.layers, { boxes: true, contacts: true })
        end = playHits(show, stage, (next) => void (answer.value = next))
      },
      // The card of the game says what is wrong with it.
      () => {},
    )
    return () => {
      isGone = true
      end()
    }
  }, [game])
  const told = answer.value
  return (
    <figure class="hero-live" data-testid="hero" aria-label="A hit, played back slowly, and why it counted">
      <div class="hero-picture" ref={picture} />
      <figcaption>
        {told === undefined ? (
          <span class="muted">playing to the next hit …</span>
        ) : (
          <>
            <b>Why, at tick {told.tick}?</b>
            <p>{told.text}</p>
            {told.changes.map((change) => (
              <code key={change}>{change}</code>
            ))}
          </>
        )}
      </figcaption>
    </figure>
  )
}

/** Plays from hit to hit while the picture is in sight. Returns what ends it. */
function playHits(show: Show, stage: StudioStage, tell: (answer: Answer | undefined) => void): () => void {
  const { module, client, sim } = show
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  let isInSight = true
  let isGone = false
  let hit = -1
  let restsUntil = 0
  /** What things are called, also those that do not survive the hit. */
  const names = new Map<number, string>()
  const observer = new IntersectionObserver(([entry]) => {
    isInSight = entry.isIntersecting
  })
  observer.observe(stage.element)
  client.send({ type: 'want', sim, epoch: show.line.epoch, overlay: true })
  const goOn = async () => {
    const from = hit < 0 ? FIRST_TICK : hit + Math.round(module.game.declaration.tickRate / 2)
    hit = await client.ask(sim, { ask: 'hit', from, direction: 1 })
    if (isGone || hit < 0) return
    show.length.value = Math.max(show.length.value, hit)
    tell(undefined)
    const lead = isStill ? 1 : Math.round(LEAD_SECONDS * module.game.declaration.tickRate)
    names.clear()
    seekShow(show, Math.max(0, hit - lead))
    show.speed.value = SLOWLY
    show.playing.value = !isStill
    restsUntil = 0
  }
  const ask = async () => {
    const found = show.overlay && listContacts(show.overlay).filter(({ a, b, isPush }) => a > 0 && b > 0 && !isPush)
    for (const { a, b } of found ?? []) {
      const list = await client.ask(sim, { ask: 'why', tick: hit - 1, a, b })
      const entry = list.find(({ verdict }) => verdict === 'accepted')
      if (entry === undefined || isGone) continue
      stage.selected = [a, b]
      const nameOf = (id: number) => names.get(id) ?? `#${id}`
      const text = splitIds(entry.text, [a, b]).map((part) => (typeof part === 'string' ? part : nameOf(part)))
      const changes = entry.changes.slice(0, 2).map((change) => {
        const { id, column, before, after } = readChange(change) ?? {}
        return id === undefined ? change : `${nameOf(id)}: ${column} ${before} → ${after}`
      })
      tell({ tick: hit - 1, text: text.join(''), changes })
      return
    }
  }
  const rest = createRest()
  const endLoop = onEachFrame((nowMs, elapsedMs) => {
    if (!isInSight) return true
    tickShow(show, elapsedMs)
    const { drawing, selected, width, height } = stage
    const shown = [drawing, selected, width, height, show.states.after.tick, show.overlay, show.jumped]
    const rests = isResting(rest, nowMs, shown) && !show.playing.value
    const picture = rests ? undefined : takePicture(show)
    if (picture !== undefined) {
      drawStudioStage(stage, picture, nowMs)
      for (const world of [picture.before, picture.after]) {
        const { id, count } = world.tables.things
        for (const each of id.subarray(0, count)) names.set(each, nameNow(module, world, each, seatName) ?? `#${each}`)
      }
    }
    if (hit < 0 || show.line.seeking) return rests
    if (isStill && restsUntil === 0 && show.tick.value === hit - 1) seekShow(show, hit)
    if (restsUntil > 0 && nowMs > restsUntil) {
      restsUntil = Number.POSITIVE_INFINITY
      stage.selected = []
      void goOn().catch(() => {})
    } else if (restsUntil === 0 && show.tick.value >= hit) {
      show.playing.value = false
      restsUntil = nowMs + ANSWER_MS
      void ask().catch(() => {})
    }
    return rests
  })
  void goOn().catch(() => {})
  return () => {
    isGone = true
    endLoop()
    observer.disconnect()
    stage.close()
    closeShow(show)
  }
}
