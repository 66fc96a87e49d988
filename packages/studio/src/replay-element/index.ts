/**
 * `<hurtbox-replay src="match.hbr" tick="412" ask="31,2">`: a replay that plays in any page.
 *
 * It is drawn by the game's own view, with the boxes that rules saw and the reason for a hit. A page says once which games it
 * knows; their code is loaded when a replay of them is in sight.
 *
 * @module @hurtbox/studio/replay
 */

import { createRest, isResting, viewOf } from '@hurtbox/view/stage'
import { why } from 'hurtbox'
import { type LoadedModule, readModule } from 'hurtbox/module'
import { readReplayHeader } from 'hurtbox/replay'
import { createStudioStage, drawStudioStage, type StudioStage } from '../draw/stage.ts'
import { part } from '../sim/part.ts'
import { messageOf } from '../words.ts'
import { createPlayer, playOn, type ReplayPlayer, shownTick, showTick, takePicture } from './player.ts'

/** Games by their id: `{ arena: () => import('./arena/index.ts') }`, each with the module as its default export. */
export type ReplayGames = Readonly<Record<string, () => Promise<{ readonly default?: unknown }>>>

const STYLE = `:host{display:block;border:1px solid #262c3c;border-radius:10px;overflow:hidden;background:#090b11;color:#e9ecf5;font:14px/1.5 system-ui,sans-serif}
.stage{position:relative;aspect-ratio:var(--hurtbox-replay-ratio,16/9)}
canvas{position:absolute;inset:0;width:100%;height:100%}
.bar{display:flex;gap:8px;align-items:center;padding:8px 12px;border-top:1px solid #262c3c}
button{font:inherit;color:inherit;background:#181c28;border:1px solid #262c3c;border-radius:6px;padding:2px 12px;cursor:pointer}
input[type=range]{flex:1;min-width:60px;accent-color:#ffd166}
output{min-width:9ch;text-align:right;font-variant-numeric:tabular-nums;color:#8f98ae}
label{color:#8f98ae;white-space:nowrap}
.why{margin:0;padding:8px 12px;border-top:1px solid #262c3c;white-space:pre-wrap}
.why:empty{display:none}
.problem{padding:16px;color:#ff5468}`

/**
 * Makes the element known to the page. Attributes: `src`, the address of the replay; `tick`, the tick to show, as events name it;
 * `ask`, the ids of two things to ask about in that tick; `from` and `to`, the ticks that are played; `playing`; `boxes`.
 *
 * @example
 * ```ts
 * defineReplayElement({ arena: () => import('./arena/index.ts') })
 * ```
 */
export function defineReplayElement(games: ReplayGames, name = 'hurtbox-replay'): void {
  // Here and not above: where pages are prepared on a server there is no such class.
  class HurtboxReplay extends HTMLElement {
    static readonly observedAttributes = ['src', 'tick', 'ask']
    #shown: Shown | undefined
    #isInPage = false
    /** Counts what was asked for, so that an answer that comes late is dropped. */
    #asked = 0

    connectedCallback(): void {
      this.#isInPage = true
      void this.#open()
    }

    disconnectedCallback(): void {
      this.#isInPage = false
      this.#close()
    }

    attributeChangedCallback(attribute: string): void {
      if (!this.#isInPage) return
      if (attribute === 'src') void this.#open()
      else this.#shown?.jump()
    }

    async #open(): Promise<void> {
      this.#close()
      const asked = this.#asked
      const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
      try {
        const player = await openReplay(games, this.getAttribute('src') ?? '')
        const view = await viewOf(player.module, part)
        if (asked !== this.#asked) return
        this.#shown = show(this, root, player, (element) => createStudioStage(element, player.module, view))
      } catch (error) {
        if (asked === this.#asked) fill(root, make('p', 'problem', messageOf(error)))
      }
    }

    #close(): void {
      this.#asked++
      this.#shown?.close()
      this.#shown = undefined
    }
  }
  if (customElements.get(name) === undefined) customElements.define(name, HurtboxReplay)
}

type Shown = { readonly jump: () => void; readonly close: () => void }

async function openReplay(games: ReplayGames, src: string): Promise<ReplayPlayer> {
  if (src === '') throw new Error('A replay has an address: <hurtbox-replay src="match.hbr">.')
  const answer = await fetch(src)
  if (!answer.ok) throw new Error(`There is no replay at ${src}.`)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return createPlayer(await moduleOf(games, readReplayHeader(bytes).game), bytes)
}

async function moduleOf(games: ReplayGames, id: string): Promise<LoadedModule> {
  const load = Object.hasOwn(games, id) ? games[id] : undefined
  if (load === undefined) {
    throw new Error(`This page knows no game "${id}". Known: ${Object.keys(games).join(', ') || 'none'}.`)
  }
  return readModule(await load(), id)
}

/** Fills the element, and draws while it is in sight. */
function show(
  element: HTMLElement,
  root: ShadowRoot,
  player: ReplayPlayer,
  createStageIn: (place: HTMLElement) => StudioStage,
): Shown {
  const place = make('div', 'stage')
  const button = make('button', '', 'Play')
  button.type = 'button'
  const slider = make('input', '')
  slider.type = 'range'
  slider.min = String(wholeOf(element, 'from') ?? 0)
  slider.max = String(Math.min(wholeOf(element, 'to') ?? player.ticks - 1, player.ticks - 1))
  slider.ariaLabel = 'Tick'
  const boxes = make('input', '')
  boxes.type = 'checkbox'
  boxes.checked = element.hasAttribute('boxes')
  const label = make('label', '', ' boxes')
  label.prepend(boxes)
  const output = make('output', '')
  const bar = make('div', 'bar')
  bar.append(button, slider, label, output)
  const reason = make('p', 'why')
  fill(root, place, bar, reason)
  const stage = createStageIn(place)
  const { tickRate } = player.module.game.declaration
  const [from, to] = [Number(slider.min), Number(slider.max)]
  let isPlaying = element.hasAttribute('playing') && !matchMedia('(prefers-reduced-motion: reduce)').matches
  let isInSight = false
  let isGone = false

  const jump = () => {
    showTick(player, wholeOf(element, 'tick') ?? from)
    const ask = pairOf(element)
    stage.selected = ask ?? []
    reason.textContent = ask === undefined ? '' : whyText(player, ask)
  }
  button.onclick = () => {
    isPlaying = !isPlaying
    if (isPlaying && shownTick(player) >= to) showTick(player, from)
  }
  slider.oninput = () => {
    isPlaying = false
    showTick(player, Number(slider.value))
  }
  const observer = new IntersectionObserver(([entry]) => {
    isInSight = entry.isIntersecting
  })
  observer.observe(element)
  jump()
  let last = performance.now()
  const rest = createRest()
  const draw = (now: number) => {
    if (isGone) return
    requestAnimationFrame(draw)
    const elapsed = Math.min(Math.max(now - last, 0), 100)
    last = now
    if (!isInSight) return
    // At the end it begins again: a page has nobody to press the button for it.
    if (isPlaying && !playOn(player, (elapsed * tickRate) / 1000, to)) showTick(player, from)
    Object.assign(stage.layers, { boxes: boxes.checked, contacts: boxes.checked })
    const seen = [shownTick(player), boxes.checked, stage.drawing, stage.width, stage.height]
    if (isResting(rest, now, seen) && !isPlaying) return
    drawStudioStage(stage, takePicture(player, boxes.checked), now)
    const tick = shownTick(player)
    button.textContent = isPlaying ? 'Pause' : 'Play'
    slider.value = String(tick)
    output.textContent = `tick ${tick}`
  }
  requestAnimationFrame(draw)
  return {
    jump,
    close() {
      isGone = true
      observer.disconnect()
      stage.close()
    },
  }
}

/** Why the two did or did not hit each other in the tick that is shown. */
function whyText({ match }: ReplayPlayer, [a, b]: readonly [number, number]): string {
  const { session } = match
  const entries = why(session, session.world.tick - 1, a, b)
  if (entries.length === 0) return 'No phase was about the two of them.'
  return entries.map(({ phase, text, changes }) => [`${phase}: ${text}`, ...changes].join('\n  ')).join('\n')
}

function pairOf(element: HTMLElement): readonly [number, number] | undefined {
  const [a, b] = (element.getAttribute('ask') ?? '').split(',').map(Number)
  return a > 0 && b > 0 ? [a, b] : undefined
}

function wholeOf(element: HTMLElement, attribute: string): number | undefined {
  const text = element.getAttribute(attribute) ?? ''
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined
}

function fill(root: ShadowRoot, ...children: readonly HTMLElement[]): void {
  root.replaceChildren(make('style', '', STYLE), ...children)
}

function make<K extends keyof HTMLElementTagNameMap>(tag: K, name: string, text = ''): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  if (name !== '') element.className = name
  if (text !== '') element.textContent = text
  return element
}
