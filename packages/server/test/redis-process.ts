/** A Redis of our own on a free loopback port, that keeps nothing. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from './free-port.ts'

export { Redis as RedisClient } from 'ioredis'

/**
 * Whether there is a Redis to start. Where there is none, tests that need it are skipped and say so; on CI they must run.
 */
export function hasRedis(): boolean {
  const isThere = spawnSync('redis-server', ['--version']).status === 0
  if (!isThere && process.env.CI) throw new Error('redis-server is missing, and on CI the tests that need it must run')
  if (!isThere)
    console.warn('SKIPPED: no redis-server here, several processes are not tested. apt-get install redis-server')
  return isThere
}

export type Redis = { readonly url: string; readonly port: number; readonly child: ChildProcess }

export async function startRedis(onPort?: number, more: readonly string[] = []): Promise<Redis> {
  const port = onPort ?? (await freePort())
  const settings = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    '/tmp',
    ...more,
  ]
  const child = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  while (!said.includes('Ready to accept connections')) {
    const [text] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => [undefined])])
    if (text === undefined) throw new Error(`redis-server ended:\n${said}`)
    said += text
  }
  child.stdout.resume()
  return { url: `redis://127.0.0.1:${port}`, port, child }
}
