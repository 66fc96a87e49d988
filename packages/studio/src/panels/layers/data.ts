/** The layer matrix of a game: which layers meet. */

import { type Layers, layersMeet } from 'hurtbox/tools'

export type LayerRow = { readonly name: string; readonly meets: readonly boolean[] }

export function layerRows(layers: Layers): LayerRow[] {
  return layers.names.map((name, a) => ({ name, meets: layers.names.map((_, b) => layersMeet(layers, a, b)) }))
}
