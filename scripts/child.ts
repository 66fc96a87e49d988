/** Processes that talk with the one that started them: servers, clients and attackers, each with an event loop of its own. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Starts a script with this Node. It ends with us if it ends when its channel does: `process.on('disconnect', …)`. */
export function startChild(script: URL, args: readonly string[] = [], flags: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [...flags, fileURLToPath(script), ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

/** The next message of a child; rejects when it ends instead. */
export async function messageOf(child: ChildProcess): Promise<unknown> {
  const done = new AbortController()
  const { signal } = done
  const ended = once(child, 'exit', { signal }).then(
    () => [undefined],
    () => [undefined],
  )
  const [message] = await Promise.race([once(child, 'message', { signal }), ended])
  done.abort()
  if (message === undefined) throw new Error(`${child.spawnargs.at(1)} ended; what it said is above.`)
  return message
}

/** Asks a child that answers every message. */
export function askChild(child: ChildProcess, question: object | string): Promise<unknown> {
  const answer = messageOf(child)
  child.send(question)
  return answer
}
