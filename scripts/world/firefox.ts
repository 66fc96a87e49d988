/** Debian's Firefox ESR in the client's namespace, driven by WebDriver BiDi. Its port is only reachable there, so a small program there passes messages on. */

import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Net } from './net.ts'
import type { OpenOptions, Tab } from './tab.ts'
import { createWire } from './wire.ts'

const RELAY = fileURLToPath(new URL('relay.ts', import.meta.url))

export async function openFirefox(net: Net, { pixelRatio }: OpenOptions = {}): Promise<Tab> {
  const profile = join(net.folder, `firefox-${++opened}`)
  mkdirSync(profile)
  writeFileSync(
    join(profile, 'user.js'),
    PREFERENCES.map(([name, value]) => `user_pref("${name}", ${value});\n`).join(''),
  )
  const browser = net.start(
    'client',
    'firefox-esr',
    ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: net.folder, MOZ_DISABLE_CONTENT_SANDBOX: '1' },
    },
  )
  const address = await new Promise<string>((resolve, reject) => {
    let said = ''
    browser.on('error', reject)
    browser.on('exit', (code) => reject(new Error(`firefox-esr ended with ${code}: ${said.slice(-500)}`)))
    browser.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const [, found] = /WebDriver BiDi listening on (ws:\S+)/.exec(said) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  const relay = net.start('client', process.execPath, [RELAY, `${address}/session`], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(relay, 'message')
  const messages: string[] = []
  const wire = createWire(
    (text) => relay.send(text),
    (method, params) => method === 'log.entryAdded' && messages.push(`${params.level}: ${params.text}`),
  )
  relay.on('message', (text) => wire.take(String(text)))
  browser.on('exit', () => wire.fail('firefox-esr has ended'))
  await wire.ask('session.new', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } })
  await wire.ask('session.subscribe', { events: ['log.entryAdded'] })
  type Tree = { contexts: { context: string }[] }
  const [{ context }] = (await wire.ask<Tree>('browsingContext.getTree')).contexts
  if (pixelRatio !== undefined) await wire.ask('browsingContext.setViewport', { context, devicePixelRatio: pixelRatio })
  let cover: string | undefined
  const cannot = () => Promise.reject(new Error('Firefox cannot do this by WebDriver BiDi; use Chromium.'))
  return {
    messages,
    goto: (url) => wire.ask('browsingContext.navigate', { context, url, wait: 'none' }),
    async evaluate(expression) {
      type Evaluated = { type: string; result?: { value?: string }; exceptionDetails?: { text: string } }
      const { result, exceptionDetails } = await wire.ask<Evaluated>('script.evaluate', {
        expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
        target: { context },
        awaitPromise: true,
      })
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
      return JSON.parse(result?.value ?? 'null')
    },
    reload: () => wire.ask('browsingContext.reload', { context, wait: 'none' }),
    async picture() {
      return Buffer.from(
        (await wire.ask<{ data: string }>('browsingContext.captureScreenshot', { context })).data,
        'base64',
      )
    },
    async hide() {
      cover ??= (await wire.ask<{ context: string }>('browsingContext.create', { type: 'tab' })).context
      await wire.ask('browsingContext.activate', { context: cover })
    },
    show: () => wire.ask('browsingContext.activate', { context }),
    freeze: cannot,
    thaw: cannot,
    crash: cannot,
    slow: cannot,
  }
}

let opened = 0

/** No first pages, no questions and no calls home, which would wait for a network that is not there. */
const PREFERENCES: readonly (readonly [string, string])[] = [
  ['browser.shell.checkDefaultBrowser', 'false'],
  ['browser.aboutwelcome.enabled', 'false'],
  ['datareporting.policy.dataSubmissionEnabled', 'false'],
  ['toolkit.telemetry.reportingpolicy.firstRun', 'false'],
  ['app.normandy.enabled', 'false'],
  ['network.captive-portal-service.enabled', 'false'],
  ['network.connectivity-service.enabled', 'false'],
  ['dom.security.https_first', 'false'],
]
