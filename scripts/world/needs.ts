/** What scenarios need of the machine. What is missing is said by name; on CI it is an error, so that nothing is left out there. */

import { isInstalled } from './program.ts'
import type { Need, Scenario } from './world.ts'

/** Every scenario's, by the Debian package that brings it. */
const COMMANDS: Readonly<Record<Need | 'ip' | 'nft' | 'openssl' | 'setpriv', string>> = {
  ip: 'iproute2',
  nft: 'nftables',
  openssl: 'openssl',
  setpriv: 'util-linux',
  nginx: 'nginx-light',
  chromium: 'chromium',
  'firefox-esr': 'firefox-esr',
  Xvfb: 'xvfb',
  'redis-server': 'redis-server',
}

/** What a scenario lacks here, in words; '' when it can be played. */
export function missingFor({ needs }: Pick<Scenario, 'needs'>): string {
  if (process.platform !== 'linux') return 'Linux'
  const commands = [
    'ip',
    'nft',
    'setpriv',
    ...needs,
    ...(needs.includes('nginx') ? (['openssl'] as const) : []),
  ] as const
  const packages = commands.filter((command) => !isInstalled(command)).map((command) => COMMANDS[command])
  const parts = [
    ...(process.getuid?.() === 0 ? [] : ['root, which may make network namespaces']),
    ...(packages.length === 0 ? [] : [`apt-get install ${packages.join(' ')}`]),
  ]
  return parts.join('; ')
}
