/** A real nginx on a free loopback port, and certificates for it. */

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { until } from './support.ts'

/** Where it is not there, tests that need it are skipped and say so; on CI they must run. */
export function hasNginx(): boolean {
  const isThere = ['nginx', 'openssl'].every(
    (name) => spawnSync(name, name === 'nginx' ? ['-v'] : ['version']).status === 0,
  )
  if (!isThere && process.env.CI)
    throw new Error('nginx or openssl is missing, and on CI the tests that need it must run')
  if (!isThere) console.warn('SKIPPED: no nginx here. apt-get install nginx-light openssl')
  return isThere
}

export type Nginx = { readonly port: number; close(): void }

/** What passes web sockets and addresses on, as docs say. */
export const PASSES = `
  proxy_http_version 1.1;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $connection_upgrade;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  proxy_set_header Host $http_host;`

/** `locations` are those of its only server; with a certificate it speaks TLS. */
export async function startNginx(locations: string, certificate?: Certificate): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'hurtbox-nginx-'))
  const port = await freePort()
  const file = (name: string) => join(folder, name)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${file(kind)};`,
  )
  const tls = certificate && `ssl_certificate ${certificate.certificate}; ssl_certificate_key ${certificate.key};`
  // Started by root it would give its workers to a user who cannot read the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const text = `
daemon off; ${user} worker_processes 1; pid ${file('pid')}; error_log ${file('log')};
events {}
http {
  access_log off; ${temporary.join(' ')}
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  server { listen 127.0.0.1:${port}${tls ? ' ssl' : ''}; ${tls ?? ''} ${locations} }
}`
  writeFileSync(file('conf'), text)
  const child = spawn('nginx', ['-c', file('conf'), '-e', file('log')], { stdio: 'ignore' })
  await until('nginx has started', () => {
    if (child.exitCode !== null) throw new Error(`nginx has ended: ${readFileSync(file('log'), 'utf8')}`)
    return spawnSync('sh', ['-c', `test -s ${file('pid')}`]).status === 0
  })
  return {
    port,
    close() {
      child.kill()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export type Certificate = { readonly certificate: string; readonly key: string }

export type Authority = {
  /** Its own certificate, PEM. */
  readonly pem: string
  /** Signs one for a name, valid until so many days from now. */
  /** Valid for so many days from now on, and since so many before. */
  issue(name: string, days: number, since?: number): Certificate
}

/** An authority that nobody knows, in a folder. */
export function createAuthority(folder: string): Authority {
  mkdirSync(folder, { recursive: true })
  const file = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  writeFileSync(
    file('conf'),
    `[ca]\ndefault_ca = own\n[own]\ndatabase = ${file('index')}\nnew_certs_dir = ${folder}\ndefault_md = sha256\npolicy = any\ncopy_extensions = copy\nrand_serial = yes\nunique_subject = no\n[any]\ncommonName = supplied\n`,
  )
  writeFileSync(file('index'), '')
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-subj',
    '/CN=An authority for tests',
    '-days',
    '9',
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.crt'),
  )
  let issued = 0
  return {
    pem: readFileSync(file('ca.crt'), 'utf8'),
    issue(name, days, since = 30) {
      const [request, key, certificate] = ['csr', 'key', 'crt'].map((end) => file(`${issued}.${end}`))
      issued++
      openssl(
        'req',
        ...newKey,
        '-subj',
        `/CN=${name}`,
        '-addext',
        `subjectAltName=DNS:${name}`,
        '-keyout',
        key,
        '-out',
        request,
      )
      const at = (day: number) =>
        new Date(Date.now() + day * 86_400_000)
          .toISOString()
          .replace(/[-:T]|\..*/g, '')
          .concat('Z')
      openssl(
        ...['ca', '-batch', '-notext', '-config', file('conf'), '-cert', file('ca.crt'), '-keyfile', file('ca.key')],
        ...['-in', request, '-out', certificate, '-startdate', at(-since), '-enddate', at(days)],
      )
      return { certificate, key }
    },
  }
}
