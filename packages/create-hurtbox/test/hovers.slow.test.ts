/** What an editor shows of worlds, things and players in the rules of the templates, asked of the TypeScript server. */

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const LONGEST = 300
const folder = fileURLToPath(new URL('..', import.meta.url))

/** The words of a line, the one of them that the mouse is over, and what the editor must know of it. All renderers share these rules. */
const HOVERS: Readonly<Record<string, readonly (readonly [line: string, word: string, shows: string])[]>> = {
  'template/game/rules.ts': [
    ['function steer(world', 'world', 'World<Pit>'],
    ['decide(knight, slime, { world })', 'knight', 'RuleThing<Pit, "sword">'],
    ['decide(knight, slime, { world })', 'slime', 'RuleThing<Pit, "slime">'],
    ['decide(knight, slime, { world })', 'world', 'RuleWorld<Pit>'],
    ['addCircle(boxes, knight)', 'knight', 'Thing<Pit, "knight">'],
    ['addCircle(boxes, knight)', 'boxes', 'Boxes<"knight" | "slime" | "sword">'],
    ['thing: knight, moveX', 'knight', 'Thing<Pit, "knight" | "slime" | "sword">'],
    ['onJoin(world, player)', 'world', 'World<NoInfer<Pit>>'],
    ['onJoin(world, player)', 'player', 'Player<NoInfer<Pit>>'],
  ],
  'shield-ball/game/rules.ts': [
    ['function steer(world', 'world', 'World<ShieldBall>'],
    ['decide(ball, player, hit)', 'ball', 'RuleThing<ShieldBall, "ball">'],
    ['decide(ball, player, hit)', 'player', 'RuleThing<ShieldBall, "shield">'],
    ['decide(ball, player, hit)', 'hit', 'Hit<ShieldBall>'],
    ['decide(ball, goal, { world })', 'world', 'RuleWorld<ShieldBall>'],
    ['addCircle(boxes, player)', 'player', 'Thing<ShieldBall, "player">'],
    ['thing: player, moveX', 'player', 'Thing<ShieldBall, '],
    ['onJoin(world, player)', 'world', 'World<NoInfer<ShieldBall>>'],
    ['onJoin(world, player)', 'player', 'Player<NoInfer<ShieldBall>>'],
  ],
}

/** A language server over its standard input and output. */
class Server {
  readonly #process: ChildProcess
  readonly #waiting = new Map<number, (result: unknown) => void>()
  #received = Buffer.alloc(0)
  #asked = 0

  constructor() {
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
    this.#process = spawn(process.execPath, [compiler, '--lsp', '--stdio'], { cwd: folder, stdio: 'pipe' })
    this.#process.stdout!.on('data', (bytes: Buffer) => this.#receive(bytes))
  }

  ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#asked
    this.tell({ id, method, params })
    return new Promise((resolve) => this.#waiting.set(id, resolve))
  }

  tell(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    this.#process.stdin!.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }

  close(): void {
    this.#process.kill()
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes])
    for (;;) {
      const head = this.#received.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/i.exec(this.#received.toString('utf8', 0, Math.max(head, 0)))?.[1])
      if (head < 0 || this.#received.length < head + 4 + length) return
      const message = JSON.parse(this.#received.toString('utf8', head + 4, head + 4 + length))
      this.#received = this.#received.subarray(head + 4 + length)
      // The server asks for settings: there are none.
      if (message.method !== undefined && message.id !== undefined) {
        this.tell({ id: message.id, result: message.params?.items?.map(() => null) ?? null })
      } else if (message.method === undefined) this.#waiting.get(message.id)?.(message.result)
    }
  }
}

const server = new Server()
afterAll(() => server.close())
beforeAll(async () => {
  const hover = { contentFormat: ['plaintext'] }
  const params = {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { textDocument: { hover } },
  }
  await server.ask('initialize', params)
  server.tell({ method: 'initialized', params: {} })
}, 60_000)

test.each(Object.entries(HOVERS))(
  '[NT5] hovers in %s take at most 300 characters',
  { timeout: 60_000 },
  async (file, hovers) => {
    const uri = pathToFileURL(join(folder, file)).href
    const text = readFileSync(join(folder, file), 'utf8')
    server.tell({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'typescript', version: 1, text } },
    })
    for (const [line, word, shows] of hovers) {
      expect(text, file).toContain(line)
      const before = text.slice(0, text.indexOf(line) + line.lastIndexOf(word)).split('\n')
      const position = { line: before.length - 1, character: before[before.length - 1].length }
      const answer = await server.ask('textDocument/hover', { textDocument: { uri }, position })
      const shown = (answer as { contents: { value: string } }).contents.value
      expect(shown).toContain(`${word}: ${shows}`)
      expect(shown.length, shown).toBeLessThanOrEqual(LONGEST)
    }
  },
)
