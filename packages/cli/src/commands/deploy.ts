/** `hurtbox deploy`: writes the files that put a project online at a place, and says what to type next. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type DeployedProject, readProject } from '../deploy/project.ts'
import { type DeployOptions, PLACES } from '../deploy/targets.ts'
import { UsageError, unknownName } from '../errors.ts'
import { print } from '../output.ts'

export type DeployCommandOptions = DeployOptions & { readonly force?: boolean }

const DOMAIN = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i
const IMAGE = /^[\w.-]+(:\d+)?(\/[\w.-]+)*(:[\w.-]+)?$/
const EXAMPLES: Readonly<Record<keyof DeployOptions, string>> = {
  domain: 'play.example.org',
  image: 'registry.example.org/my-game:1',
}

export function deploy(placeName: string, options: DeployCommandOptions): number {
  if (!Object.hasOwn(PLACES, placeName)) throw unknownName('place', placeName, Object.keys(PLACES))
  const { plan, needs, isContainer } = PLACES[placeName]
  requireOptions(placeName, options, needs)
  const project = readProject()
  if (isContainer && !project.hasDockerfile) {
    throw new UsageError(
      `${placeName} runs the image of a Dockerfile, and ${project.folder} has none. "npm create hurtbox" makes one that you can copy.`,
    )
  }
  const { files, next, see } = plan(project, options)
  write(project, files, options.force === true)
  print('')
  print('Next:')
  print('')
  for (const line of next) print(`  ${line}`)
  print('')
  print(`The game is then at ${see}`)
  print(`What is wrong, if something is: npx hurtbox doctor ${see}`)
  return 0
}

function requireOptions(place: string, options: DeployOptions, needs: readonly (keyof DeployOptions)[]): void {
  const missing = needs.filter((option) => options[option] === undefined)
  if (missing.length > 0) {
    const given = missing.map((option) => `--${option} ${EXAMPLES[option]}`).join(' ')
    throw new UsageError(`${place} needs to know ${missing.join(' and ')}: hurtbox deploy ${place} ${given}`)
  }
  const { domain, image } = options
  if (domain !== undefined && !DOMAIN.test(domain)) {
    throw new UsageError(`"${domain}" is no name of a host. Without https:// and path: --domain ${EXAMPLES.domain}`)
  }
  if (image !== undefined && !IMAGE.test(image)) {
    throw new UsageError(`"${image}" is no name of an image: --image ${EXAMPLES.image}`)
  }
}

/** All of them, or none: one that was changed by hand is not lost. */
function write({ folder }: DeployedProject, files: Readonly<Record<string, string>>, isForced: boolean): void {
  const others = Object.entries(files).filter(([path, text]) => {
    const file = join(folder, path)
    return existsSync(file) && readFileSync(file, 'utf8') !== text
  })
  if (others.length > 0 && !isForced) {
    const paths = others.map(([path]) => path).join(' and ')
    throw new UsageError(`${paths} is there already, with other text. --force replaces it.`)
  }
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    print(`${path} is written.`)
  }
}
