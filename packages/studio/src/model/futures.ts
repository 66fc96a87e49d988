/** Two futures: where they part, and what it came to for each player. */

import type { Studio } from './studio.ts'

/** How long the worker looks at a time, ms. */
const SLICE_MS = 80

/** Looks for the first difference, from where the other future begins; again when that one has become another. */
export async function findParting(studio: Studio): Promise<void> {
  const { show, fork, forkedAt, difference } = studio
  const beside = fork.value
  if (beside === undefined) return
  difference.value = 'looking'
  let from = forkedAt.value
  try {
    for (;;) {
      const question = { ask: 'difference', beside: beside.sim, from, budgetMs: SLICE_MS } as const
      const { next, found } = await show.client.ask(show.sim, question)
      if (fork.value !== beside) return
      if (found !== undefined || next === from) {
        difference.value = found ?? 'none'
        return
      }
      from = next
    }
  } catch {
    difference.value = 'none'
  }
}
