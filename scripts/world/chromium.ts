/** Debian's Chromium in the client's namespace, driven by the DevTools protocol through a pipe: no port is needed. */

import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Net } from './net.ts'
import type { OpenOptions, Tab } from './tab.ts'
import { createWire, type Wire } from './wire.ts'

const FLAGS = [
  '--no-sandbox',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--password-store=basic',
  '--ignore-certificate-errors',
  '--window-size=800,600',
]
/** As large as it is in that window. */
const PAGE = { width: 800, height: 513 }

export async function openChromium(net: Net, { windowed = false, pixelRatio }: OpenOptions = {}): Promise<Tab> {
  const display = windowed ? await startScreen(net) : undefined
  const profile = join(net.folder, `chromium-${++opened}`)
  const browser = net.start(
    'client',
    'chromium',
    [...FLAGS, ...(windowed ? [] : ['--headless=new']), `--user-data-dir=${profile}`, 'about:blank'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      env: { ...process.env, HOME: net.folder, ...(display !== undefined && { DISPLAY: display }) },
    },
  )
  const messages: string[] = []
  const tabEvents = new EventEmitter()
  const wire = createWire(
    (text) => (browser.stdio[3] as Writable).write(`${text}\0`),
    (method, params) => {
      if (method === 'Inspector.targetCrashed') tabEvents.emit('crashed')
      note(messages, method, params)
    },
  )
  let rest = ''
  ;(browser.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\0')
    rest = parts.pop() ?? ''
    for (const part of parts) wire.take(part)
  })
  browser.on('error', (error) => wire.fail(`chromium does not start: ${error.message}`))
  browser.on('exit', () => wire.fail('chromium has ended'))
  return openTab(wire, messages, tabEvents, pixelRatio)
}

let opened = 0

async function openTab(wire: Wire, messages: string[], events: EventEmitter, pixelRatio?: number): Promise<Tab> {
  const create = async () => {
    const { targetId } = await wire.ask<{ targetId: string }>('Target.createTarget', { url: 'about:blank' })
    return targetId
  }
  const target = await create()
  const { sessionId } = await wire.ask<{ sessionId: string }>('Target.attachToTarget', {
    targetId: target,
    flatten: true,
  })
  const ask = <T>(method: string, params: object = {}) => wire.ask<T>(method, params, sessionId)
  for (const domain of ['Page', 'Runtime', 'Log']) await ask(`${domain}.enable`)
  if (pixelRatio !== undefined)
    await ask('Emulation.setDeviceMetricsOverride', { ...PAGE, deviceScaleFactor: pixelRatio, mobile: false })
  let cover: string | undefined
  return {
    messages,
    async goto(url) {
      const { errorText } = await ask<{ errorText?: string }>('Page.navigate', { url })
      if (errorText !== undefined) throw new Error(`${url}: ${errorText}`)
    },
    async evaluate(expression) {
      type Evaluated = {
        result: { value?: string }
        exceptionDetails?: { text: string; exception?: { description?: string } }
      }
      const { result, exceptionDetails: wrong } = await ask<Evaluated>('Runtime.evaluate', {
        expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
        awaitPromise: true,
      })
      if (wrong !== undefined) throw new Error(wrong.exception?.description ?? wrong.text)
      return JSON.parse(result.value ?? 'null')
    },
    reload: () => ask<void>('Page.reload'),
    async picture() {
      return Buffer.from((await ask<{ data: string }>('Page.captureScreenshot')).data, 'base64')
    },
    async hide() {
      cover ??= await create()
      await wire.ask('Target.activateTarget', { targetId: cover })
    },
    show: () => wire.ask('Target.activateTarget', { targetId: target }),
    freeze: () => ask<void>('Page.setWebLifecycleState', { state: 'frozen' }),
    thaw: () => ask<void>('Page.setWebLifecycleState', { state: 'active' }),
    // The answer would come from what has just died. What is asked before that is known dies with it, a reload too.
    async crash() {
      await ask('Inspector.enable')
      const crashed = once(events, 'crashed')
      ask('Page.crash').catch(() => {})
      await crashed
    },
    slow: (rate) => ask<void>('Emulation.setCPUThrottlingRate', { rate }),
  }
}

/** Xvfb, a screen without a monitor; returns its name. */
async function startScreen(net: Net): Promise<string> {
  const screen = net.start('client', 'Xvfb', ['-displayfd', '3', '-screen', '0', '1024x768x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [number] = await Promise.race([
    once(screen.stdio[3] as Readable, 'data'),
    once(screen, 'exit').then(() => ['']),
  ])
  if (String(number) === '') throw new Error('Xvfb does not start')
  return `:${String(number).trim()}`
}

type Called = { type: string; args: { value?: unknown; description?: string }[] }
type Thrown = { exceptionDetails: { text: string; exception?: { description?: string } } }
type Entry = { entry: { level: string; text: string; url?: string } }

function note(messages: string[], method: string, params: unknown): void {
  if (method === 'Runtime.consoleAPICalled') {
    const { type, args } = params as Called
    messages.push(`${type}: ${args.map(({ value, description }) => value ?? description).join(' ')}`)
  } else if (method === 'Runtime.exceptionThrown') {
    const { exceptionDetails: wrong } = params as Thrown
    messages.push(`thrown: ${wrong.exception?.description ?? wrong.text}`)
  } else if (method === 'Log.entryAdded') {
    const { level, text, url = '' } = (params as Entry).entry
    messages.push(`${level}: ${text} ${url}`)
  }
}
