/** A rule that throws on the server while people play. */

import type { Look } from '../visitor.ts'
import type { Scenario } from '../world.ts'

/** The server's own rules throw from the tick on in which SIGUSR2 comes; the page has those that it was built with. */
const TRAP = [
  {
    file: 'server/main.ts',
    find: 'import { existsSync }',
    replace: "process.on('SIGUSR2', () => Object.assign(globalThis, { isSprung: true }))\nimport { existsSync }",
  },
  {
    file: 'game/rules.ts',
    find: 'const { tuning, clock',
    replace: `const trap = globalThis as { isSprung?: boolean; sprungAt?: number }
  if (trap.isSprung) trap.sprungAt ??= world.tick
  if (trap.sprungAt !== undefined && world.tick >= trap.sprungAt) throw new Error('the trap is sprung')
  const { tuning, clock`,
  },
]

export const failures: readonly Scenario[] = [
  {
    name: 'failed',
    says: 'a rule throws on a server behind nginx with TLS: Chromium and Firefox say so within 2 s, and offer the replay',
    needs: ['chromium', 'firefox-esr', 'nginx'],
    async run({ place, visit, see, seeJoined, wait }) {
      const { url, server } = await place({
        runs: 'project',
        way: { kind: 'tls', prefix: '/game/' },
        env: { PROXIES: '1' },
        changes: TRAP,
      })
      const players = [await visit(url, 'chromium'), await visit(url, 'firefox')]
      const joined: Look[] = []
      for (const player of players) joined.push(await seeJoined(player))
      await see(
        'both in one room',
        () => joined.map(({ room }) => room),
        ([one, other]) => one === other,
        0,
      )
      const look = () => Promise.all(players.map((player) => player.look()))
      server.signal('SIGUSR2')
      await see(
        'both say that the match has failed, and in which tick',
        look,
        (looks) =>
          looks.every(({ words }) => /The match has failed: the game's own code failed in tick \d+/.test(words)),
        2,
      )
      await see(
        'both offer the replay',
        () =>
          Promise.all(
            players.map((player) =>
              player.evaluate<number>(
                "fetch(document.querySelector('[data-part=replay]:not([hidden])').href).then((it) => it.status)",
              ),
            ),
          ),
        (answers) => answers.every((status) => status === 200),
        5,
      )
      // The room is closed by then.
      await wait(12)
      await see(
        'both still say it',
        look,
        (looks) => looks.every(({ words }) => words.includes('The match has failed')),
        0,
      )
      await see(
        'the log has the whole error',
        () => server.log(),
        (log) => log.includes('the trap is sprung'),
        0,
      )
    },
  },
]
