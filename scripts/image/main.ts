/**
 * `npm run measure -- image`: builds the image of a created project by its own Dockerfile and plays on it, as its compose file says.
 *
 * No Docker engine is needed: podman builds and runs (engine.ts), on base images that are made here (base.ts). The Dockerfile has one line
 * more than the one of a created project, which copies the packed packages. `--keep` leaves the project in .cache/image/project.
 */

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { missingFor } from '../world/needs.ts'
import { isInstalled } from '../world/program.ts'
import { play } from '../world/world.ts'
import { requireBases } from './base.ts'
import { createEngine, IMAGES } from './engine.ts'
import { MOST, type Needs } from './idle.ts'
import { copyTarballs, createProject } from './project.ts'
import { DOMAIN, online, TOKEN } from './scenario.ts'

/** By command. */
const DEBIAN: Readonly<Record<string, string>> = {
  podman: 'podman',
  'podman-compose': 'podman-compose',
  runc: 'runc',
  debootstrap: 'debootstrap',
  iptables: 'iptables',
}
const EXTRA = ['netavark', 'aardvark-dns']
const NAME = 'goblin-hunt'

const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } })
process.exitCode = await main(values.keep)

async function main(keeps: boolean): Promise<number> {
  const missing = [
    missingFor({ needs: ['chromium'] }),
    ...Object.keys(DEBIAN).flatMap((command) => (isInstalled(command) ? [] : [DEBIAN[command]])),
  ].filter(Boolean)
  if (missing.length > 0) {
    console.error(`Missing: ${missing.join(', ')}. apt-get install ${[...Object.values(DEBIAN), ...EXTRA].join(' ')}`)
    return 1
  }
  const folder = join(IMAGES, 'project', NAME)
  const engine = createEngine()
  await requireBases(engine)
  await createProject(folder, NAME)
  copyTarballs(folder)
  writeFileSync(join(folder, '.env'), `DOMAIN=${DOMAIN}\nHURTBOX_TOKEN=${TOKEN}\n`)
  const built = performance.now()
  await engine.run('podman-compose', ['build'], folder)
  console.log(`built    ${((performance.now() - built) / 1000).toFixed(1)} s`)

  let needs: Needs | undefined
  const { seconds, seen, failure } = await play(online(NAME, folder, (found) => (needs = found)))
  if (!keeps) rmSync(folder, { recursive: true, force: true })
  console.log(`${failure === undefined ? 'passed' : 'FAILED'}   ${seconds.toFixed(1)} s: ${seen.join(', ')}`)
  if (failure !== undefined) console.log(failure.replace(/^/gm, '    '))
  if (needs === undefined) return 1
  const tooMuch = Object.entries(needs).filter(([name, value]) => value > MOST[name as keyof Needs])
  console.log(`packages ${needs.packagesMb.toFixed(1)} MB of at most ${MOST.packagesMb}`)
  console.log(`idle     ${needs.rssMb.toFixed(0)} MB of memory of at most ${MOST.rssMb}`)
  console.log(`start    ${needs.startCpuSeconds.toFixed(2)} s of CPU time of at most ${MOST.startCpuSeconds}`)
  for (const [name] of tooMuch) console.log(`FAILED   ${name} is more than docs/guide/online.md promises`)
  return failure === undefined && tooMuch.length === 0 ? 0 : 1
}
