/** Words that stay are written once: after that they are bitmaps. */

import { expect, test } from 'vitest'
import { setSharpness, widthOf, words } from '../lettering.ts'

type Call = { readonly name: string; readonly values: readonly unknown[] }

/** A context with a document; canvases that it makes note into `made`. */
function page() {
  const calls: Call[] = []
  const made: Call[][] = []
  const contextOf = (into: Call[], canvas: unknown) =>
    new Proxy({} as CanvasRenderingContext2D, {
      get: (_, name: string) =>
        name === 'canvas'
          ? canvas
          : (...values: unknown[]) => {
              into.push({ name, values })
              return name === 'measureText' ? { width: 40 } : undefined
            },
      set: () => true,
    })
  const ownerDocument = {
    createElement() {
      const own: Call[] = []
      made.push(own)
      return { width: 0, height: 0, getContext: () => contextOf(own, undefined) }
    },
  }
  return { context: contextOf(calls, { ownerDocument }), calls, made }
}

const times = (calls: readonly Call[], name: string) => calls.filter((each) => each.name === name).length

test('[SL7] words that stay are laid out and measured once, and drawn as a bitmap where they were written', () => {
  for (const align of ['left', 'center', 'right'] as const) {
    const { context, calls, made } = page()
    setSharpness(context, 2)
    for (let frame = 0; frame < 100; frame++) {
      words(context, 'turn 3', 100, 50, 12, '#ffffff', align)
      expect(widthOf(context, 'turn 3', 12, '#ffffff', align)).toBe(40)
    }
    expect(times(calls, 'strokeText')).toBe(3)
    expect(times(calls, 'fillText')).toBe(3)
    expect(times(calls, 'measureText')).toBe(1)
    expect(times(calls, 'drawImage')).toBe(97)
    expect(made).toHaveLength(1)
    // The bitmap's own origin, which is where its words are anchored, comes to where they were anchored on the canvas.
    const [image, x, y, wide] = calls.find(({ name }) => name === 'drawImage')!.values as [
      HTMLCanvasElement,
      number,
      number,
      number,
    ]
    const [scale, , , , originX, originY] = made[0].find(({ name }) => name === 'setTransform')!.values as number[]
    expect(wide * 2).toBe(image.width)
    expect(x + originX / scale).toBe(100)
    expect(y + originY / scale).toBe(50)
    expect([originX, originY].every(Number.isInteger)).toBe(true)
  }
})

test('[SL7] what changes in every frame is written directly, and is forgotten', () => {
  const { context, calls, made } = page()
  setSharpness(context, 1)
  for (let frame = 0; frame < 5000; frame++) words(context, String(frame), 0, 0, 12, '#ffffff')
  expect(times(calls, 'fillText')).toBe(5000)
  expect(times(calls, 'measureText')).toBe(0)
  expect(made).toHaveLength(0)
  // A camera that zooms.
  for (let frame = 0; frame < 100; frame++) {
    setSharpness(context, 1 + frame / 50)
    words(context, 'a name', 0, 0, 12, '#ffffff')
  }
  expect(made).toHaveLength(0)
})

test('[SL7] bitmaps are made again for another scale, colour or size', () => {
  const { context, made } = page()
  const show = (sharpness: number, size: number, colour: string) => {
    setSharpness(context, sharpness)
    for (let frame = 0; frame < 10; frame++) words(context, 'a name', 0, 0, size, colour)
  }
  show(1, 12, '#ffffff')
  show(1.001, 12, '#ffffff')
  expect(made).toHaveLength(1)
  show(2, 12, '#ffffff')
  show(2, 13, '#ffffff')
  show(2, 12, '#000000')
  show(2, 12, '#ffffff')
  expect(made).toHaveLength(4)
})

test('[SL7] where nobody has said how sharp, words are written', () => {
  const { context, calls } = page()
  for (let frame = 0; frame < 10; frame++) words(context, 'a name', 0, 0, 12, '#ffffff')
  expect(times(calls, 'fillText')).toBe(10)
})
