/** The line to a worker of the studio's own. */

import { workerUrl } from 'virtual:hurtbox-studio'
import type { Request, Response } from '../sim/protocol.ts'
import { type Client, createClient, type Line } from './client.ts'

export function startWorker(): Client {
  const worker = new Worker(new URL(workerUrl, document.baseURI), { type: 'module' })
  const line: Line = {
    send: (request: Request, transfer) => worker.postMessage(request, transfer),
    listen(onResponse, onBreak) {
      worker.onmessage = ({ data }: MessageEvent<Response>) => onResponse(data)
      worker.onerror = (event) => onBreak(event.message || 'the worker could not be started.')
    },
    end: () => worker.terminate(),
  }
  return createClient(line)
}
