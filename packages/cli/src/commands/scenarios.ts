/** `hurtbox scenarios`: plays the small scenes whose outcome a game promises, and compares. */

import { messageOf, unknownName } from '../errors.ts'
import { loadGame } from '../games.ts'
import { print, printError, printJson } from '../output.ts'

export type ScenariosOptions = { readonly only?: string; readonly json?: boolean }

/** 1 when one came out differently, or threw. */
export async function scenarios(gameName: string | undefined, { only, json }: ScenariosOptions): Promise<number> {
  const { id, game, scenarios: all } = await loadGame(gameName)
  const chosen = only === undefined ? all : all.filter(({ name }) => name === only)
  if (chosen.length === 0 && only !== undefined) {
    throw unknownName(
      `scenario of ${id}`,
      only,
      all.map(({ name }) => name),
    )
  }
  if (chosen.length === 0) printError(`${id} has no scenarios. Give its module \`scenarios\`.`)
  let differing = 0
  for (const scenario of chosen) {
    const { name, source, expected } = scenario
    let actual: string
    try {
      actual = scenario.play(game)
    } catch (error) {
      actual = `it failed: ${messageOf(error)}`
    }
    const ok = actual === expected
    if (!ok) differing++
    if (json) printJson('scenario', { game: id, scenario: name, source, ok, expected, actual })
    else {
      print(`${ok ? 'ok       ' : 'DIFFERENT'}  ${name} (${source})`)
      print(`  expected  ${expected}`)
      print(`  actual    ${actual}`)
    }
  }
  if (!json && chosen.length > 0) print(`${chosen.length - differing} of ${chosen.length} came out as expected`)
  return differing === 0 ? 0 : 1
}
