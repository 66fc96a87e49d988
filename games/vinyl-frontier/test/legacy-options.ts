/** What the legacy flags of the command set, asked of the command itself. */

import { hurtbox, jsonLines } from '../../../packages/cli/test/command.ts'

/** The four of the document, which `--legacy-all` sets. */
export const LEGACY_OPTIONS = ['legacyCollisionHandling', 'legacyPhysics', 'legacyAsteroidEatDamage', 'legacyDocking']

export async function legacyOptionsOf(flag: string): Promise<string[]> {
  const args = ['run', 'vinyl-frontier', '--json', '--option', 'maxTurns=1', flag]
  const { options } = jsonLines(await hurtbox(args)).at(-1)! as unknown as { options: Record<string, unknown> }
  return Object.keys(options).filter((name) => name.startsWith('legacy') && options[name] === true)
}
