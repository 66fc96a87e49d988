/** The worker: plays the matches of the studio's page. */

import { loadGame } from './games.ts'
import { createSimHost } from './host.ts'
import type { Request } from './protocol.ts'

const host = createSimHost({
  load: loadGame,
  disputes: () => import('./disputes.ts'),
  reply: (message, transfer) => self.postMessage(message, { transfer }),
})
self.onmessage = ({ data }: MessageEvent<Request>) => host.handle(data)
