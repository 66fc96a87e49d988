/** The page under a name, by every usual way to it. */

import type { Setting } from '../place.ts'
import type { BrowserName } from '../tab.ts'
import type { Way } from '../ways.ts'
import type { Need, Scenario, World } from '../world.ts'

const PROXIED = { args: ['--proxies', '1'], env: { PROXIES: '1' } }
const tls = (more: Omit<Extract<Way, { kind: 'tls' }>, 'kind'> = {}): Way => ({ kind: 'tls', ...more })

/** A server somewhere, a browser that opens it by its name: the page is drawn, a match is joined and played. */
function opened(
  name: string,
  says: string,
  setting: Setting,
  { browser = 'chromium', ci = false }: { browser?: BrowserName; ci?: boolean } = {},
): Scenario {
  const needs: Need[] = [browser === 'firefox' ? 'firefox-esr' : 'chromium']
  if (setting.way?.kind === 'tls') needs.push('nginx')
  return {
    name,
    says,
    needs,
    ci,
    async run(world: World) {
      const { url, metric } = await world.place(setting)
      const player = await world.visit(url, browser)
      await world.seeJoined(player)
      await world.see(
        '0 desyncs',
        () => metric('hurtbox_desyncs_total'),
        (count) => count === 0,
      )
      // The page of a project shows no ticks; its room counts what it got.
      const before = await metric('hurtbox_inputs_total')
      await world.see(
        'inputs arrive',
        () => metric('hurtbox_inputs_total'),
        (now) => now > before,
      )
    },
  }
}

export const names: readonly Scenario[] = [
  opened('name', 'the studio under a plain name, in Chromium', { runs: 'studio' }, { ci: true }),
  opened('name-firefox', 'the studio under a plain name, in Firefox', { runs: 'studio' }, { browser: 'firefox' }),
  opened('name-project', 'a created project under a plain name', { runs: 'project' }),
  opened('tls', 'the studio behind nginx with TLS that passes Host on', { runs: 'studio', way: tls(), ...PROXIED }),
  opened('tls-firefox', 'the same in Firefox', { runs: 'studio', way: tls(), ...PROXIED }, { browser: 'firefox' }),
  opened('tls-prefix', 'the studio behind nginx, below a path', {
    runs: 'studio',
    way: tls({ prefix: '/game/' }),
    ...PROXIED,
  }),
  opened('tls-project', 'a created project behind nginx with TLS', { runs: 'project', way: tls(), ...PROXIED }),
  opened(
    'tls-prefix-project',
    'a created project behind nginx with TLS, below a path',
    { runs: 'project', way: tls({ prefix: '/game/' }), ...PROXIED },
    { ci: true },
  ),
  opened(
    'tls-prefix-project-firefox',
    'the same in Firefox',
    { runs: 'project', way: tls({ prefix: '/game/' }), ...PROXIED },
    { browser: 'firefox' },
  ),
  opened('tls-prefix-packed', 'a created project from packed packages, behind nginx, below a path', {
    runs: 'packed',
    way: tls({ prefix: '/game/' }),
    ...PROXIED,
  }),
  opened('no-host', 'the studio behind nginx that passes no Host on', {
    runs: 'studio',
    way: tls({ passesHost: false }),
    ...PROXIED,
  }),
  opened('no-host-project', 'a created project behind nginx that passes no Host on', {
    runs: 'project',
    way: tls({ passesHost: false }),
    ...PROXIED,
  }),
  opened('mapped', 'other ports outside, told to nobody: the studio plays by the socket', {
    runs: 'studio',
    way: { kind: 'mapped' },
  }),
  opened('ipv4', 'a network of IPv4 only', { runs: 'studio', family: 'ipv4' }),
  opened('ipv6', 'a network of IPv6 only', { runs: 'studio', family: 'ipv6' }),
]
