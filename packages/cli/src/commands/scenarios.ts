/** `hurtbox scenarios`: plays the small scenes whose outcome a game promises, and compares. Without a name, those of all games. */

import type { LoadedModule, Scenario } from 'hurtbox/module'
import { loadModules } from 'hurtbox/module/node'
import { messageOf, orUsageError, unknownName } from '../errors.ts'
import { loadGame } from '../games.ts'
import { print, printError, printJson } from '../output.ts'

export type ScenariosOptions = { readonly only?: string; readonly json?: boolean }

/** 1 when one came out differently or threw, or a game could not be loaded. */
export async function scenarios(
  gameName: string | undefined,
  { only, json = false }: ScenariosOptions,
): Promise<number> {
  const { modules, problems } = await chosenGames(gameName)
  for (const problem of problems) printError(`hurtbox: ${problem}`)
  const chosen = modules.flatMap((module) =>
    module.scenarios
      .filter(({ name }) => only === undefined || name === only)
      .map((scenario) => ({ module, scenario })),
  )
  const names = modules.map(({ id }) => id).join(', ')
  if (chosen.length === 0 && only !== undefined) {
    const known = modules.flatMap((module) => module.scenarios.map(({ name }) => name))
    throw unknownName(`scenario of ${names}`, only, known)
  }
  if (chosen.length === 0) printError(`${names} has no scenarios. Give its module \`scenarios\`.`)
  const equal = chosen.filter(({ module, scenario }) => isAsExpected(module, scenario, json)).length
  if (!json && chosen.length > 0) print(`${equal} of ${chosen.length} came out as expected`)
  return equal === chosen.length && problems.length === 0 ? 0 : 1
}

type Chosen = { readonly modules: readonly LoadedModule[]; readonly problems: readonly string[] }

async function chosenGames(gameName: string | undefined): Promise<Chosen> {
  if (gameName !== undefined) return { modules: [await loadGame(gameName)], problems: [] }
  const { modules, problems } = await orUsageError(() => loadModules())
  // A project without games, or with one: the error or the sentence that every command has for it.
  return modules.length < 2 && problems.length === 0 ? { modules: [await loadGame()], problems } : { modules, problems }
}

/** Plays a scenario and prints both outcomes. */
function isAsExpected({ id, game }: LoadedModule, scenario: Scenario, json: boolean): boolean {
  const { name, source, expected } = scenario
  let actual: string
  try {
    actual = scenario.play(game)
  } catch (error) {
    actual = `it failed: ${messageOf(error)}`
  }
  const ok = actual === expected
  if (json) printJson('scenario', { game: id, scenario: name, source, ok, expected, actual })
  else {
    print(`${ok ? 'ok       ' : 'DIFFERENT'}  ${id} ${name} (${source})`)
    print(`  expected  ${expected}`)
    print(`  actual    ${actual}`)
  }
  return ok
}
