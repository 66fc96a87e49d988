/** The handshake with OpenSSL as the client, where it is installed: a DTLS stack of others, whose options leave out what it would offer. */

import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { type Certificate, createCertificate } from '../src/dtls/certificate.ts'
import { bindingRequestOf } from './client.ts'
import { credentialsIn, offerOf, openTestPort, startProxy } from './ports.ts'

vi.setConfig({ testTimeout: 60_000 })

const isInstalled = spawnSync('openssl', ['version']).status === 0
const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0).reverse()) clean()
})

function pemFiles({ der, key }: Certificate): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'hurtbox-openssl-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  const [certificateFile, keyFile] = ['certificate.pem', 'key.pem'].map((name) => join(folder, name))
  const base64 = der.toString('base64').replaceAll(/.{64}/g, '$&\n')
  writeFileSync(certificateFile, `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`)
  writeFileSync(keyFile, key.export({ type: 'pkcs8', format: 'pem' }))
  return ['-cert', certificateFile, '-key', keyFile]
}

/** What `openssl s_client` says until a handshake is done or has failed. Its first packet comes after a connectivity check from the same address. */
async function connect(options: readonly string[], expected: RegExp): Promise<string> {
  const port = await openTestPort()
  const certificate = createCertificate()
  const { answer } = port.open(offerOf(certificate), { onMessage() {}, onClosed() {} })
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
  const all = ['s_client', '-dtls1_2', '-connect', `127.0.0.1:${proxy.number}`, ...pemFiles(certificate), ...options]
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
  return `${said}\n${client.exitCode === null ? 'still connected' : 'ended'}`
}

test.runIf(isInstalled).each(['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-ECDSA-AES128-GCM-SHA256'])(
  '[DG80] OpenSSL connects with the cookie, a certificate and the extended master secret: %s',
  async (cipher) => {
    const said = await connect(['-cipher', cipher], /Extended master secret: yes/)
    expect(said).toContain(`Cipher is ${cipher}`)
    expect(said).toContain('Secure Renegotiation IS supported')
    expect(said).toContain('still connected')
  },
)

test.runIf(isInstalled).each([
  ['a cipher that we do not have', ['-cipher', 'ECDHE-ECDSA-AES256-GCM-SHA384']],
  ['another curve', ['-groups', 'X25519']],
  ['another signature', ['-sigalgs', 'RSA+SHA256']],
])('[DG80] OpenSSL gets handshake_failure: %s', async (_, options) => {
  expect(await connect(options, /alert handshake failure/)).toContain('SSL alert number 40')
})
