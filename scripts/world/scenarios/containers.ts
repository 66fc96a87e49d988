/** A created project in a container-like root, and how servers end. */

import type { Root } from '../container.ts'
import type { Scenario, World } from '../world.ts'

/** Starts, plays, and ends with 0 after SIGTERM, as process 1. */
function contained(name: string, says: string, root: Root, ci = false): Scenario {
  return {
    name,
    says,
    needs: ['chromium'],
    ci,
    async run(world: World) {
      const { url, server } = await world.place({ runs: 'project', root })
      const player = await world.visit(url)
      await world.seeJoined(player)
      server.signal('SIGTERM')
      await world.see('exit code 0', server.end, (end) => end === 0)
      await world.see(
        'drained',
        server.log,
        (log) => log.includes('"msg":"draining"') && log.includes('"msg":"closed"'),
      )
    },
  }
}

export const containers: readonly Scenario[] = [
  contained('container-volume', 'a container that is read-only but for one volume', 'volume'),
  contained('container-read-only', 'a container in which nothing can be written', 'read-only', true),
  contained('container-foreign', 'a container whose user is not the owner of its folder', 'foreign'),
  {
    name: 'npx',
    says: 'SIGTERM to `npx hurtbox serve` ends the server too',
    needs: [],
    ci: true,
    async run({ place, see, net }) {
      const { server, ask } = await place({ runs: 'npx', args: ['--no-studio'] })
      await see(
        'it answers',
        () => ask('/health'),
        ({ status }) => status === 200,
      )
      server.signal('SIGTERM')
      await see(
        'no process is left',
        () => net().processes('server'),
        (left) => left.length === 0,
      )
      await see('drained', server.log, (log) => log.includes('"msg":"closed"'))
    },
  },
]
