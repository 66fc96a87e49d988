/** The handshake with OpenSSL as the client, where it is installed: a DTLS stack of others, whose options leave out what it would offer. */

import { spawn } from 'node:child_process'
import { afterEach, expect, test, vi } from 'vitest'
import { type Certificate, createCertificate } from '../src/dtls/certificate.ts'
import { bindingRequestOf } from './client.ts'
import { isOpensslInstalled, pemFilesOf } from './openssl.ts'
import { credentialsIn, offerOf, openTestPort, startProxy } from './ports.ts'

vi.setConfig({ testTimeout: 60_000 })

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0).reverse()) clean()
})

/** The client's certificate, and what its offer says of it, where these are not one. */
type Shown = { readonly certificate?: Certificate; readonly files?: readonly string[] }

/** What `openssl s_client` says until a handshake is done or has failed. Its first packet comes after a connectivity check from the same address. */
async function connect(options: readonly string[], expected: RegExp, shown: Shown = {}): Promise<string> {
  const port = await openTestPort()
  const offered = createCertificate()
  const { certificate = offered, files = pemFilesOf(certificate, cleanups) } = shown
  const { answer } = port.open(offerOf(offered), { onMessage() {}, onClosed() {} })
  const { ufrag, pwd } = credentialsIn(answer)
  let isChecked = false
  const proxy = await startProxy(
    port.number,
    (packet, pass) => {
      if (!isChecked) pass(bindingRequestOf(ufrag, pwd))
      isChecked = true
      setTimeout(pass, 20, packet)
    },
    (packet, pass) => packet[0] >= 4 && pass(packet),
  )
  cleanups.push(() => port.close(), proxy.close)
  const all = ['s_client', '-dtls1_2', '-connect', `127.0.0.1:${proxy.number}`, ...files, ...options]
  const client = spawn('openssl', all)
  cleanups.push(() => void client.kill())
  let said = ''
  for (const stream of [client.stdout, client.stderr]) stream.on('data', (text) => void (said += text))
  await vi
    .waitUntil(() => expected.test(said), { timeout: 30_000 })
    .catch(() => {
      throw new Error(`OpenSSL did not say ${expected}, but:\n${said}`)
    })
  // Who has failed ends now, and says the same before.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  return `${said}\n${client.exitCode === null ? 'still connected' : 'ended'}, ${port.refused.unfit} unfit`
}

test.runIf(isOpensslInstalled).each(['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-ECDSA-AES128-GCM-SHA256'])(
  '[DG80] OpenSSL connects with the cookie, a certificate and the extended master secret: %s',
  async (cipher) => {
    const said = await connect(['-cipher', cipher], /Extended master secret: yes/)
    expect(said).toContain(`Cipher is ${cipher}`)
    expect(said).toContain('Secure Renegotiation IS supported')
    expect(said).toContain('still connected')
  },
)

test.runIf(isOpensslInstalled).each([
  ['a cipher that we do not have', ['-cipher', 'ECDHE-ECDSA-AES256-GCM-SHA384']],
  ['another curve', ['-groups', 'X25519']],
  ['another signature', ['-sigalgs', 'RSA+SHA256']],
])('[DG80] OpenSSL gets handshake_failure: %s', async (_, options) => {
  expect(await connect(options, /alert handshake failure/)).toContain('SSL alert number 40')
})

test.runIf(isOpensslInstalled).each(['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-ECDSA-AES128-GCM-SHA256'])(
  '[DG80] OpenSSL connects where its messages are cut into fragments: %s',
  async (cipher) => {
    const said = await connect(['-cipher', cipher, '-mtu', '256'], /Extended master secret: yes/)
    expect(said).toContain(`Cipher is ${cipher}`)
    expect(said).toContain('still connected')
  },
)

test.runIf(isOpensslInstalled).each<[string, () => Shown, RegExp]>([
  ['another certificate than its offer’s', () => ({ certificate: createCertificate() }), /[1-9]\d* unfit$/],
  // There is no CertificateVerify either, so its flight never is whole.
  ['no certificate', () => ({ files: [] }), /still connected, 0 unfit$/],
])('[DG80] OpenSSL opens nothing with %s', async (_, shown, end) => {
  // It trusts ours, and waits for an answer to its own.
  const said = await connect([], /(verify return:1[\s\S]*){2}/, shown())
  expect(said).not.toContain('Extended master secret: yes')
  expect(said).toMatch(end)
})
