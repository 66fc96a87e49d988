/** Edits of the rules while the page is open. A page that can go on with them says how; any other is loaded again. */

type Follow = (stamp: number) => void

let follow: Follow = () => location.reload()
import.meta.hot?.on('hurtbox:edit', ({ stamp }: { stamp: number }) => follow(stamp))

/** Calls `handler` with the stamp of every edit. Returns a function that stops it. */
export function followEdits(handler: Follow): () => void {
  const before = follow
  follow = handler
  return () => {
    follow = before
  }
}
