/** Loading parts of the page over networks that fail now and then. */

const WAITS_MS = [300, 1200] as const

/** Loads something, and tries again before it gives up. A module that has an error in itself fails at once. */
export async function stubborn<T>(load: () => Promise<T>): Promise<T> {
  for (const wait of WAITS_MS) {
    try {
      return await load()
    } catch (error) {
      // What browsers throw for a module that did not arrive; errors of the module's own are others.
      if (!(error instanceof TypeError)) throw error
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
  return load()
}
