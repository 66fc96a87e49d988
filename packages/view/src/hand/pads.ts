/** The first gamepad with the standard mapping, polled once per tick, as the browser wants it. */

export type Pads = {
  /** Left x, left y, right x, right y. */
  axes: number[]
  readonly buttons: Set<number>
  /** How often each button went down since it was last asked. */
  readonly presses: Map<number, number>
}

/** Sticks never rest exactly in the middle. */
const DEAD_ZONE = 0.15

/** `acts` says which button a pressed one acts as. */
export function readPads(pads: Pads, acts: (code: string) => string = (code) => code): void {
  const pad = navigator.getGamepads?.().find(isStandard)
  for (let place = 0; place < 4; place++) {
    const value = pad?.axes[place] ?? 0
    pads.axes[place] = Math.abs(value) < DEAD_ZONE ? 0 : value
  }
  pad?.buttons.forEach(({ pressed }, number) => {
    const button = Number(acts(padCode(number)).slice(PAD.length))
    if (pressed && !pads.buttons.has(button)) pads.presses.set(button, (pads.presses.get(button) ?? 0) + 1)
    if (pressed) pads.buttons.add(button)
    else pads.buttons.delete(button)
  })
  if (pad === undefined) pads.buttons.clear()
}

const isStandard = (pad: Gamepad | null) => pad?.mapping === 'standard'

const PAD = 'pad'

/** A button of the pad as one of the codes that can be changed. */
export function padCode(button: number): string {
  return `${PAD}${button}`
}

/** Select and Start together: pause, as on a console. True once per squeeze. */
export function wantsPause(pads: Pads): boolean {
  if (!pads.buttons.has(8) || !pads.buttons.has(9)) return false
  const fresh = pads.presses.has(8) || pads.presses.has(9)
  pads.presses.delete(8)
  pads.presses.delete(9)
  return fresh
}
