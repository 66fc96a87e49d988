/** The page's worker. Apart from what opens a match in the studio, which the front page does without. */

import type { Client } from '../show/client.ts'
import { startWorker } from '../show/worker-line.ts'

let sharedClient: Client | undefined

/** From now on the page's worker is this one. */
export function useClient(client: Client): void {
  sharedClient = client
}

/** One worker for the whole page. */
export function theClient(): Client {
  sharedClient ??= startWorker()
  return sharedClient
}
