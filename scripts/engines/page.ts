/**
 * Runs a script in a browser: a page on a loopback port runs it and posts the result back.
 *
 * No browser is driven by its own protocol, because no one protocol covers Chromium, Firefox and WebKitGTK; opening an
 * address and killing the process does. The headers make the page cross-origin isolated, as a game's page would be.
 */

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { lastLines, type Running, settlesWithin } from './process.ts'

const MAX_RESULT_BYTES = 16 * 1024 * 1024

/**
 * Opens a page that evaluates `script` (an expression statement list that leaves its answer in `hurtboxReport`) and
 * returns the text it posts. Throws when the page fails, the browser ends first, or time runs out.
 */
export async function runInPage(script: string, open: (url: string) => Running, timeoutMs: number): Promise<string> {
  // A name that cannot be guessed, so that no other page or program on this machine can answer for ours.
  const secret = randomUUID()
  let answer: (text: string) => void = () => {}
  const posted = new Promise<string>((resolve) => (answer = resolve))

  const server = createServer((request, response) => {
    response.setHeader('cross-origin-opener-policy', 'same-origin')
    response.setHeader('cross-origin-embedder-policy', 'require-corp')
    response.setHeader('cache-control', 'no-store')
    const route = `${request.method} ${request.url}`
    if (route === `GET /${secret}`) {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE.replaceAll('SECRET', secret))
    } else if (route === `GET /${secret}/probe.js`) {
      response.setHeader('content-type', 'text/javascript; charset=utf-8').end(script)
    } else if (route === `POST /${secret}/result`) {
      readBody(request).then(
        (body) => {
          response.statusCode = 204
          response.end()
          answer(body)
        },
        () => request.destroy(),
      )
    } else {
      response.statusCode = 404
      response.end()
    }
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))

  const browser = open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${secret}`)
  try {
    const ended = browser.ended.then(({ stderr }) => {
      throw new Error(`the browser ended before the page answered: ${lastLines(stderr)}`)
    })
    // The exit matters only while we still wait for the answer.
    ended.catch(() => {})
    const answered = Promise.race([posted, ended])
    if (!(await settlesWithin(answered, timeoutMs))) throw new Error(`gave no result within ${timeoutMs / 1000} s`)
    const { report, error } = JSON.parse(await answered) as { report?: string; error?: string }
    if (report === undefined) throw new Error(`the page failed: ${error}`)
    return report
  } finally {
    await browser.stop()
    server.closeAllConnections()
    server.close()
  }
}

const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>hurtbox engine probe</title>
<script>
  const post = (body) => fetch('/SECRET/result', { method: 'POST', body: JSON.stringify(body) })
  addEventListener('error', (event) => post({ error: event.message }))
</script>
<script src="/SECRET/probe.js"></script>
<script>
  if (globalThis.hurtboxReport !== undefined) post({ report: hurtboxReport })
</script>
`

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_RESULT_BYTES) throw new Error('result too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
