/** Scratch lists made of parallel typed arrays: how they get more room. */

type Growable = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

/** Replaces the named arrays of a list by longer ones that begin with what they held. */
export function growColumns<K extends string>(
  list: { [name in K]: Growable },
  names: readonly K[],
  capacity: number,
): void {
  for (const name of names) {
    const { constructor: ArrayOfType } = list[name] as { constructor: unknown }
    const longer = new (ArrayOfType as new (length: number) => Growable)(capacity)
    longer.set(list[name])
    list[name] = longer
  }
}
