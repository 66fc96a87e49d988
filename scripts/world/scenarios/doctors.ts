/** What `hurtbox doctor` says on a client's machine of servers that players come to by mapped ports and proxies. */

import { once } from 'node:events'
import { join } from 'node:path'
import { repositoryRoot } from '../../engines/install-npm.ts'
import type { Setting } from '../place.ts'
import { HURTBOX, NODE } from '../projects.ts'
import type { Need, Scenario } from '../world.ts'

const GAME = join(repositoryRoot, 'games/jet-raiders/index.ts')
const UDP = ['--udp-port', '45000']
const OUTSIDE = ['--udp-address', 'play.wild.test:45181']

type Finding = { readonly name: string; readonly verdict: string; readonly says: string }

/** `complaints` are the rows that are not fine, each with a part of its sentence. */
function doctor(
  name: string,
  says: string,
  setting: Setting,
  complaints: Readonly<Record<string, string>>,
  ci = false,
): Scenario {
  const needs: Need[] = setting.way?.kind === 'tls' ? ['nginx'] : []
  return {
    name,
    says,
    needs,
    ci,
    async run({ place, net, see }) {
      const { url, token } = await place(setting)
      const examine = async (): Promise<Finding[]> => {
        const child = net().start(
          'client',
          join(repositoryRoot, NODE),
          [HURTBOX, 'doctor', url, '--game', GAME, '--json'],
          {
            stdio: ['ignore', 'pipe', 'inherit'],
            env: {
              ...process.env,
              HURTBOX_TOKEN: token,
              ...(needs.length > 0 && { NODE_EXTRA_CA_CERTS: join(net().folder, 'tls.crt') }),
            },
          },
        )
        let printed = ''
        child.stdout!.setEncoding('utf8').on('data', (text) => (printed += text))
        await once(child, 'close')
        return printed
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      }
      await see(
        `complaints: ${Object.keys(complaints).join(', ') || 'none'}`,
        examine,
        (findings) => {
          const found = findings.filter(({ verdict }) => verdict !== 'ok')
          const isNamed = found.every((finding) => finding.says.includes(complaints[finding.name] ?? '\n'))
          return findings.at(-1)?.name === 'datagrams' && isNamed && found.length === Object.keys(complaints).length
        },
        0,
      )
    },
  }
}

export const doctors: readonly Scenario[] = [
  doctor(
    'doctor-mapped',
    'the doctor has no complaint about mapped ports that clients are told',
    { runs: 'studio', way: { kind: 'mapped' }, args: [...UDP, ...OUTSIDE] },
    {},
  ),
  doctor(
    'doctor-untold',
    'the doctor says that clients are not told the mapped ports',
    { runs: 'studio', way: { kind: 'mapped' }, args: UDP },
    { datagrams: 'Players are told UDP 10.77.1.2:45000' },
    true,
  ),
  doctor(
    'doctor-tls',
    'the doctor has no complaint about a server behind nginx with TLS below a path, with a mapped UDP port',
    { runs: 'studio', way: { kind: 'tls', prefix: '/game/' }, args: [...UDP, ...OUTSIDE, '--proxies', '1'] },
    {},
  ),
  doctor(
    'doctor-proxies',
    'the doctor says that the server does not know of its proxy',
    { runs: 'studio', way: { kind: 'tls' }, args: [...UDP, ...OUTSIDE] },
    { proxies: 'start the server with --proxies 1' },
  ),
]
