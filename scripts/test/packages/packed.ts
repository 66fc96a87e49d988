/** The tarballs of the packages as they would be published, packed once for all test files. */

import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pack } from '../../pack.ts'
import { madeOnce } from '../once.ts'

/** The tarball of a folder under packages/. */
export async function packedOnce(folder: string): Promise<string> {
  const sources = [`packages/${folder}`, 'scripts/pack.ts', 'tsconfig.base.json', 'package-lock.json', 'LICENSE']
  const made = await madeOnce({ kind: 'packed-once', name: `${folder}-`, sources }, (into) => {
    pack(folder, into)
    rmSync(join(into, folder), { recursive: true })
  })
  const [tarball] = readdirSync(made)
  return join(made, tarball)
}
