/** The page's end of the line to where matches are played: one line, many matches, questions with answers. */

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

type Listener = {
  onFrame(frame: Frame): void
  onFailure(message: string): void
  onProgress?(tick: number, of: number): void
}

type Waiting = { resolve(value: never): void; reject(error: Error): void }

/** Where requests go: a worker, or a host in the page. `listen` is called once, with what takes the responses. */
export type Line = {
  send(request: Request, transfer: Transferable[]): void
  listen(onResponse: (response: Response) => void, onBreak: (message: string) => void): void
  end(): void
}

export function createClient(line: Line): Client {
  const listeners = new Map<number, Listener>()
  const waiting = new Map<number, Waiting>()
  let sims = 0
  let questions = 0

  const receive = (data: Response) => {
    switch (data.type) {
      case 'frame':
        return listeners.get(data.sim)?.onFrame(data)
      case 'failed':
        return listeners.get(data.sim)?.onFailure(data.message)
      case 'progress':
        return listeners.get(data.sim)?.onProgress?.(data.tick, data.of)
      case 'answer':
        waiting.get(data.id)?.resolve(data.value as never)
        break
      case 'refused':
        waiting.get(data.id)?.reject(new Error(data.message))
    }
    waiting.delete(data.id)
  }
  line.listen(receive, (message) => {
    for (const listener of listeners.values()) listener.onFailure(message)
  })

  const send = (request: Request, transfer: Transferable[] = []) => line.send(request, transfer)
  return {
    send,
    end: () => line.end(),
    open(listener) {
      listeners.set(++sims, listener)
      return sims
    },
    close(sim) {
      listeners.delete(sim)
      send({ type: 'stop', sim })
    },
    ask(sim, question) {
      const id = ++questions
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        send({ type: 'ask', sim, id, question })
      })
    },
  }
}
