/** OpenSSL, where it is installed: a DTLS stack of others. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Certificate } from '../src/dtls/certificate.ts'

export const isOpensslInstalled: boolean = spawnSync('openssl', ['version']).status === 0

/** As options of its commands. */
export function pemFilesOf({ der, key }: Certificate, cleanups: (() => void)[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'hurtbox-openssl-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  const [certificateFile, keyFile] = ['certificate.pem', 'key.pem'].map((name) => join(folder, name))
  const base64 = der.toString('base64').replaceAll(/.{64}/g, '$&\n')
  writeFileSync(certificateFile, `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`)
  writeFileSync(keyFile, key.export({ type: 'pkcs8', format: 'pem' }))
  return ['-cert', certificateFile, '-key', keyFile]
}
