/** The page's end of the line to the worker: one worker, many matches, questions with answers. */

import { workerUrl } from 'virtual:hurtbox-studio'
import type { Answers, Frame, Question, Request, Response } from '../sim/protocol.ts'

export type Client = {
  /** A number for a new match; its frames and its failure go to the listener. */
  open(listener: Listener): number
  close(sim: number): void
  send(request: Request, transfer?: Transferable[]): void
  /** Ends the worker with all its matches. */
  end(): void
  ask<Q extends Question>(sim: number, question: Q): Promise<Answers[Q['ask']]>
}

type Listener = { onFrame(frame: Frame): void; onFailure(message: string): void }

type Waiting = { resolve(value: never): void; reject(error: Error): void }

export function createClient(): Client {
  const worker = new Worker(new URL(workerUrl, document.baseURI), { type: 'module' })
  const listeners = new Map<number, Listener>()
  const waiting = new Map<number, Waiting>()
  let sims = 0
  let questions = 0

  worker.onmessage = ({ data }: MessageEvent<Response>) => {
    switch (data.type) {
      case 'frame':
        return listeners.get(data.sim)?.onFrame(data)
      case 'failed':
        return listeners.get(data.sim)?.onFailure(data.message)
      case 'answer':
        waiting.get(data.id)?.resolve(data.value as never)
        break
      case 'refused':
        waiting.get(data.id)?.reject(new Error(data.message))
    }
    waiting.delete(data.id)
  }
  worker.onerror = (event) => {
    for (const listener of listeners.values()) listener.onFailure(event.message || 'the worker could not be started.')
  }

  const send = (request: Request, transfer: Transferable[] = []) => worker.postMessage(request, transfer)
  return {
    send,
    open(listener) {
      listeners.set(++sims, listener)
      return sims
    },
    close(sim) {
      listeners.delete(sim)
      send({ type: 'stop', sim })
    },
    end: () => worker.terminate(),
    ask(sim, question) {
      const id = ++questions
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        send({ type: 'ask', sim, id, question })
      })
    },
  }
}
