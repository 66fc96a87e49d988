/**
 * What the broad phase works on: bounding circles in parallel arrays, and a matrix of which layers can meet.
 *
 * The arrays are the caller's own columns; nothing is copied or converted on the way in. A circle is named by its place
 * in them, and that place is its rank in every canonical order.
 */

export type Circles = {
  readonly count: number
  readonly x: Float64Array
  readonly y: Float64Array
  readonly radius: Float64Array
  /** 0 to 31, or `NO_LAYER`. */
  readonly layer: Uint8Array
}

/** Bit `b` of word `a` is set when layers `a` and `b` can meet. Symmetric, up to 32 words. */
export type Meets = Uint32Array

/** A circle on this layer is there, but nothing ever finds it. */
export const NO_LAYER = 255

export const LAYERS = 32

/** A key must fit a signed 32-bit word, or differences of keys would overflow. */
export const MAX_CIRCLES = 1 << 26

/**
 * Index and layer of a circle in one word: `index << 5 | layer`.
 *
 * Keys sort like indexes, and a shift by a key is a shift by its layer, because JavaScript takes shift counts modulo 32:
 * `(mask >>> key) & 1` asks whether the layer of `key` is in `mask`.
 */
export const KEY_SHIFT = 5
export const LAYER_MASK = LAYERS - 1
