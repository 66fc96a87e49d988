/** The ways to a server: straight, through mapped ports, through nginx with TLS, or a long one. And what can happen to the line. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Family, Net } from './net.ts'
import { whenReady } from './program.ts'

export type Way =
  /** The name is that of the server. */
  | { readonly kind: 'direct' }
  /** The name is that of the router, which maps other ports to those of the server: TCP 45180, UDP 45181. */
  | { readonly kind: 'mapped' }
  /** The name is that of the router, on which nginx takes TLS off, below a path. */
  | { readonly kind: 'tls'; readonly prefix?: string; readonly passesHost?: boolean }
  /** The name is that of the router, through which everything takes so long each way. By TCP only. */
  | { readonly kind: 'long'; readonly delayMs: number }

const NAME = 'play.wild.test'
export const PORT = 45_000
const MAPPED = { tcp: 45_180, udp: 45_181 }
const DELAYED = 45_190
const DELAY = fileURLToPath(new URL('delay.ts', import.meta.url))
const ADDRESSES = {
  ipv4: { server: '10.77.1.2', router: '10.88.0.1' },
  ipv6: { server: '2001:db8:77::2', router: '2001:db8:88::1' },
}

/** Opens a way; returns the address that a player types. */
export async function openWay(net: Net, way: Way, family: Family = 'ipv4'): Promise<string> {
  const { server, router } = ADDRESSES[family]
  net.nameHosts({ [NAME]: way.kind === 'direct' ? server : router })
  net.run('router', 'nft', ['-f', '-'], TABLE)
  if (way.kind === 'direct') return `http://${NAME}:${PORT}/`
  // What stands behind such a router cannot be reached but by what it maps.
  if (way.kind === 'mapped' || way.kind === 'tls') net.run('router', 'nft', ['-f', '-'], HIDDEN)
  if (way.kind === 'mapped') return `http://${NAME}:${MAPPED.tcp}/`
  if (way.kind === 'long') {
    const args = [DELAY, String(DELAYED), server, String(PORT), String(way.delayMs)]
    const program = net.start('router', process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    await whenReady(program, 'listening', 20)
    return `http://${NAME}:${DELAYED}/`
  }
  const { prefix = '/', passesHost = true } = way
  await startNginx(net, { prefix, passesHost, target: family === 'ipv6' ? `[${server}]` : server })
  return `https://${NAME}${prefix}`
}

const TABLE = `
table inet world {
  chain ports {
    type nat hook prerouting priority dstnat;
    iifname "out" tcp dport ${MAPPED.tcp} dnat ip to ${ADDRESSES.ipv4.server}:${PORT}
    iifname "out" udp dport ${MAPPED.udp} dnat ip to ${ADDRESSES.ipv4.server}:${PORT}
  }
  chain passing { type filter hook forward priority filter; }
}`

const HIDDEN = `
table inet world {
  chain hiding {
    type filter hook forward priority filter;
    iifname "out" ct status dnat accept
    iifname "out" drop
  }
}`

type Proxy = { readonly prefix: string; readonly passesHost: boolean; readonly target: string }

async function startNginx(net: Net, { prefix, passesHost, target }: Proxy): Promise<void> {
  const file = (name: string) => join(net.folder, name)
  net.run('router', 'openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '90'],
    ...['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`],
    ...['-keyout', file('tls.key'), '-out', file('tls.crt')],
  ])
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${file(kind)};`,
  )
  const text = `
daemon off; user root; worker_processes 1; pid ${file('nginx.pid')}; error_log ${file('nginx.log')};
events {}
http {
  access_log off; ${temporary.join(' ')}
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  server {
    listen 443 ssl; listen [::]:443 ssl;
    ssl_certificate ${file('tls.crt')}; ssl_certificate_key ${file('tls.key')};
    location ${prefix} {
      proxy_pass http://${target}:${PORT}/;
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      ${passesHost ? 'proxy_set_header Host $http_host;' : ''}
      proxy_read_timeout 3600s;
    }
  }
}`
  writeFileSync(file('nginx.conf'), text)
  net.run('router', 'nginx', ['-t', '-q', '-c', file('nginx.conf'), '-e', file('nginx.log')])
  net.start('router', 'nginx', ['-c', file('nginx.conf'), '-e', file('nginx.log')], { stdio: 'ignore' })
}

/** The line between router and client. */
export type Line = {
  /** Nothing passes, and nobody is told: a dead radio. */
  die(): void
  revive(): void
  /** Loses so many of a hundred packets, of all or of UDP, each way. */
  lose(percent: number, of?: 'all' | 'udp'): void
  /** The client's address becomes another one, and what went to the old one is lost: from one network into the next. */
  changeAddress(): void
}

export function lineOf(net: Net): Line {
  /** The client's own number in its network. */
  let host = 2
  const rules = (rule: string) => {
    const text = `flush chain inet world passing\n${rule === '' ? '' : `add rule inet world passing ${rule}\n`}`
    net.run('router', 'nft', ['-f', '-'], text)
  }
  return {
    die: () => rules('drop'),
    revive: () => rules(''),
    lose: (percent, of = 'all') =>
      rules(`${of === 'udp' ? 'meta l4proto udp ' : ''}numgen random mod 1000 < ${Math.round(percent * 10)} drop`),
    changeAddress() {
      const change = (...args: string[]) => net.run('client', 'ip', args)
      change('addr', 'del', `10.88.0.${host}/24`, 'dev', 'eth0')
      change('addr', 'add', `10.88.0.${++host}/24`, 'dev', 'eth0')
      change('route', 'add', 'default', 'via', '10.88.0.1')
    },
  }
}
