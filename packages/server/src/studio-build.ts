/** The studio's page for the games that are served, built by its own package. */

import { fileURLToPath } from 'node:url'
import { loadModules } from 'hurtbox/module/node'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))

/** The folder with the built studio; undefined when it could not be built and never was. */
export async function preparedStudio(say: (line: string) => void): Promise<string | undefined> {
  const [studio, { modules }] = await Promise.all([import('@hurtbox/studio/node'), loadModules(REPOSITORY)])
  const files = modules.filter(({ room }) => room !== undefined).map(({ file }) => file)
  return studio.preparedStudio({ files, root: REPOSITORY, say })
}
