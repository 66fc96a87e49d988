/** Addresses that differ inside and outside: two players in two browsers, by datagrams. */

import type { Net } from '../net.ts'
import type { Setting } from '../place.ts'
import type { Way } from '../ways.ts'
import type { Need, Scenario, World } from '../world.ts'

const UDP = ['--udp-port', '45000']
const tls = (prefix = '/'): Way => ({ kind: 'tls', prefix })

/**
 * Networks of IPv6 only give phones an IPv4 address that leads into a translation (464XLAT). Chromium gathers no address at all, not even those of IPv6,
 * where there is none, and plays by the socket.
 */
function translate({ run }: Net): void {
  run('client', 'ip', ['addr', 'add', '192.0.0.4/29', 'dev', 'eth0'])
  run('client', 'ip', ['route', 'add', 'default', 'via', '192.0.0.1', 'dev', 'eth0'])
}

function two(name: string, says: string, setting: Setting): Scenario {
  const needs: Need[] = ['chromium', 'firefox-esr']
  if (setting.way?.kind === 'tls') needs.push('nginx')
  return {
    name,
    says: `${says}: two browsers play in one room, both by datagrams`,
    needs,
    async run({ net, place, visit, see, seeJoined, seePlaying }: World) {
      const { url, metric } = await place(setting)
      if (setting.family === 'ipv6') translate(net())
      const first = await visit(url, 'chromium')
      const { room } = await seeJoined(first)
      const second = await visit(url, 'firefox')
      const joined = await seeJoined(second, room.replace('room ', ''))
      await see(
        'in one room',
        () => [room, joined.room],
        ([one, other]) => one === other,
        0,
      )
      for (const player of [first, second]) {
        await see(`${player.browser} by datagrams`, player.look, ({ path }) => path.startsWith('By datagrams'))
        await seePlaying(player)
      }
      await see(
        '0 desyncs',
        () => metric('hurtbox_desyncs_total'),
        (count) => count === 0,
      )
    },
  }
}

export const addresses: readonly Scenario[] = [
  two('udp-mapped', 'other ports outside, for TCP and UDP', {
    runs: 'studio',
    way: { kind: 'mapped' },
    args: [...UDP, '--public-address', 'play.wild.test:45180', '--udp-address', 'play.wild.test:45181'],
  }),
  two('udp-native', 'the native stack, on a router that maps other ports', {
    runs: 'studio',
    way: { kind: 'mapped' },
    args: [
      ...UDP,
      '--udp',
      'native',
      '--public-address',
      'play.wild.test:45180',
      '--udp-address',
      'play.wild.test:45181',
    ],
  }),
  two('udp-tls', 'behind nginx with TLS on a router that maps a UDP port', {
    runs: 'studio',
    way: tls(),
    args: [
      ...UDP,
      '--proxies',
      '1',
      '--public-address',
      'https://play.wild.test',
      '--udp-address',
      'play.wild.test:45181',
    ],
  }),
  two('udp-prefix', 'behind nginx with TLS below a path', {
    runs: 'studio',
    way: tls('/game/'),
    args: [
      ...UDP,
      '--proxies',
      '1',
      '--public-address',
      'https://play.wild.test/game/',
      '--udp-address',
      'play.wild.test:45181',
    ],
  }),
  two('udp-ipv6', 'a network of IPv6 only', {
    runs: 'studio',
    family: 'ipv6',
    args: [...UDP, '--udp-address', 'play.wild.test'],
  }),
]
