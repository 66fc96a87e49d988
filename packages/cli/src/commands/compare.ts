/** `hurtbox compare`: plays scenarios in the new and in the legacy collision engine and counts what was hit. */

import { orUsageError } from '../errors.ts'
import { print, printError } from '../output.ts'
import { type Comparison, loadTeamModule } from '../teams.ts'
import { inColumns } from '../text.ts'

export type CompareOptions = {
  readonly scenario?: readonly string[]
  readonly team1?: string
  readonly team2?: string
  readonly preset?: string
  readonly seed: number
  readonly turns?: number
  readonly json?: boolean
}

export async function compare(options: CompareOptions): Promise<number> {
  const game = await loadTeamModule()
  const rows: Comparison[] = []
  await orUsageError(async () => {
    for await (const row of game.compare(options, printError)) {
      rows.push(row)
      const { scenario, new: isNew, legacy } = row
      if (options.json) print(JSON.stringify({ scenario, new: isNew, legacy }))
    }
  })
  if (!options.json) print(inColumns([['scenario', 'what', 'new', 'legacy'], ...rows.map(cells)], ''))
  return 0
}

function cells(row: Comparison): string[] {
  return [row.scenario, row.about, String(row.new), String(row.legacy)]
}
