/** Servers of several builds, as during a rolling deploy. */

import type { SpawnOptions } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { metricOf } from '../place.ts'
import { whenReady } from '../program.ts'
import type { Scenario } from '../world.ts'

const BUILDS = fileURLToPath(new URL('../builds.ts', import.meta.url))
const REDIS = 'redis://127.0.0.1:6390'
const PORTS = [45_001, 45_002]
const PIPES: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe'] }
const TOKEN = 'password-of-the-deploy'

export const deploys: readonly Scenario[] = [
  {
    name: 'two-builds',
    says: 'two builds of a game on one Redis: each client plays in a room of its build, without desyncs',
    needs: ['redis-server'],
    async run({ net, see }) {
      const { start, fetch } = net()
      const redis = start('server', 'redis-server', ['--port', '6390', '--bind', '127.0.0.1', '--save', ''], PIPES)
      await whenReady(redis, 'Ready to accept connections', 20)
      for (const [i, port] of PORTS.entries()) {
        const server = start('server', process.execPath, [BUILDS, 'serve', String(i + 1), String(port), REDIS], {
          ...PIPES,
          cwd: net().folder,
          env: { ...process.env, HURTBOX_TOKEN: TOKEN },
        })
        await whenReady(server, '"msg":"listening"', 60)
      }
      // Two of each build, each through the server of its build; the rooms of the first are open when the second come.
      for (const port of [...PORTS, ...PORTS].sort()) {
        const version = String(PORTS.indexOf(port) + 1)
        const player = start('client', process.execPath, [BUILDS, 'play', version, `http://10.77.1.2:${port}`], PIPES)
        await whenReady(player, '"room"', 30)
      }
      const metrics = (name: string) =>
        Promise.all(
          PORTS.map((port) =>
            metricOf(
              (path) => fetch('server', `http://127.0.0.1:${port}${path}`, { authorization: `Bearer ${TOKEN}` }),
              name,
            ),
          ),
        )
      await see(
        'two clients on each build',
        () => metrics('hurtbox_clients'),
        ([first, second]) => first === 2 && second === 2,
        10,
      )
      const before = await metrics('hurtbox_inputs_total')
      await see(
        'inputs arrive',
        () => metrics('hurtbox_inputs_total'),
        (now) => now.every((count, i) => count > before[i] + 60),
      )
      await see(
        '0 desyncs',
        () => metrics('hurtbox_desyncs_total'),
        (counts) => counts.every((count) => count === 0),
        0,
      )
    },
  },
]
