#!/usr/bin/env node
/**
 * `npm create hurtbox my-game`: copies a template and names it.
 *
 * It asks nothing, so that scripts can use it: the folder is the only argument, and a folder that is not empty is refused
 * without `--force`. Plain JavaScript without dependencies: it runs before anything is installed.
 */

import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const USAGE = `Usage: npm create hurtbox <folder> [-- --template <name>] [--name <name>] [--force] [--packages <folder>]

  <folder>             where the game goes; created if missing
  --template <name>    slime-pit: the game of the guide, in the fewest files (default)
                       canvas, pixi, phaser, three: Shield Ball, two against two, drawn with that
  --name <name>        name of the package and the game (default: the folder's)
  --force              write into a folder that is not empty; files of the template replace what is there
  --packages <folder>  take Hurtbox from the tarballs in there instead of the registry: what "npm run pack" in a clone
                       of the repository leaves in .cache/pack`

/** What npm accepts as a name and what is a legal id of a game. */
const NAME = /^[a-z][a-z0-9-]{0,60}$/

/**
 * What a renderer adds to the development dependencies: the page is built with it, the server never loads it. The canvas needs
 * nothing.
 * @type {Record<string, Record<string, string>>}
 */
const RENDERERS = {
  canvas: {},
  pixi: { 'pixi.js': '8.22.0' },
  phaser: { phaser: '4.2.1' },
  three: { three: '0.187.0', '@types/three': '0.187.0' },
}
/** Our packages: those that a project names, and those that they need themselves. */
const OURS = [
  'hurtbox',
  '@hurtbox/colyseus',
  '@hurtbox/view',
  '@hurtbox/server',
  '@hurtbox/cli',
  '@hurtbox/studio',
  '@hurtbox/netcode',
  '@hurtbox/datagrams',
]
/** What all templates have in common; a file of a template stands in the place of one of the same name. */
const SHARED = folderOf('shared')
const TEMPLATES = ['slime-pit', ...Object.keys(RENDERERS)]

process.exitCode = main(process.argv.slice(2))

/** @param {string[]} argv */
function main(argv) {
  let parsed
  try {
    parsed = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        template: { type: 'string', default: 'slime-pit' },
        name: { type: 'string' },
        force: { type: 'boolean' },
        packages: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  }
  const { values, positionals } = parsed
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  if (positionals.length !== 1) return refuse(`give one folder.\n\n${USAGE}`)
  const folder = resolve(positionals[0])
  const name = values.name ?? basename(folder)
  if (!NAME.test(name)) {
    return refuse(`"${name}" cannot be a name: small letters, digits and -, a letter first. Use --name.`)
  }
  const { template } = values
  if (!TEMPLATES.includes(template)) {
    return refuse(`there is no template "${template}". There are: ${TEMPLATES.join(', ')}.`)
  }
  const source = folderOf(template === 'slime-pit' ? 'template' : 'shield-ball')
  const { dependencies, devDependencies, engines } = JSON.parse(readFileSync(join(SHARED, 'package.json'), 'utf8'))
  const oldest = engines.node.replace('>=', '')
  if (isOlder(process.versions.node, oldest)) {
    return refuse(
      `the game would not run on this Node ${process.versions.node}: it needs Node ${oldest} or newer, which loads ` +
        'TypeScript by itself. Install one from https://nodejs.org, then run this again.',
      1,
    )
  }
  if (name in { ...dependencies, ...devDependencies }) {
    return refuse(`"${name}" is the name of a package that the game needs. Use --name.`)
  }
  try {
    if (values.force !== true && isTaken(folder)) {
      return refuse(`${positionals[0]} is not empty. Take another folder, or use --force.`)
    }
    const tarballs = values.packages === undefined ? undefined : findTarballs(resolve(values.packages))
    if (typeof tarballs === 'string') return refuse(tarballs)
    copyTemplate(source, folder, name)
    copyOnlineFiles(folder, name)
    if (template !== 'slime-pit') chooseRenderer(folder, template)
    if (tarballs !== undefined) dependOn(folder, tarballs)
  } catch (error) {
    // A file where the folder should be, a disk that is full or not ours.
    return refuse(`${positionals[0]} cannot be written: ${error instanceof Error ? error.message : error}`)
  }
  const place = relative(process.cwd(), folder) || '.'
  const steps = [`cd ${/^[\w./-]+$/.test(place) ? place : `"${place}"`}`, 'npm install', 'npm test', 'npm run dev']
  console.log(`${name} is there. Next:\n\n${steps.map((step) => `  ${step}`).join('\n')}\n`)
  return 0
}

/**
 * A repository that was made first and has nothing in it yet is a good place to begin.
 * @param {string} folder
 */
function isTaken(folder) {
  return existsSync(folder) && readdirSync(folder).some((file) => file !== '.git')
}

/** @param {string} name */
function folderOf(name) {
  return fileURLToPath(new URL(`../${name}`, import.meta.url))
}

/**
 * @param {string} source
 * @param {string} folder
 * @param {string} name
 */
function copyTemplate(source, folder, name) {
  for (const from of [SHARED, source]) {
    cpSync(from, folder, { recursive: true, filter: (file) => !relative(from, file).startsWith('node_modules') })
  }
  // npm would not pack files of these names.
  for (const file of ['gitignore', 'npmrc']) renameSync(join(folder, `_${file}`), join(folder, `.${file}`))
  for (const file of ['package.json', 'README.md', 'AGENTS.md', 'game/rules.ts', 'client/index.html']) {
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/slime-pit|shield-ball/g, name))
  }
}

/**
 * What puts a game online is the same for all templates.
 * @param {string} folder
 * @param {string} name
 */
function copyOnlineFiles(folder, name) {
  const source = folderOf('online')
  for (const file of readdirSync(source)) {
    writeFileSync(join(folder, file), readFileSync(join(source, file), 'utf8').replaceAll('slime-pit', name))
  }
}

/**
 * Shield Ball has one view for each renderer beside the canvas, `client/view.pixi.ts` and so on: one of them stays.
 * @param {string} folder
 * @param {string} renderer
 */
function chooseRenderer(folder, renderer) {
  const client = join(folder, 'client')
  if (renderer !== 'canvas') renameSync(join(client, `view.${renderer}.ts`), join(client, 'view.ts'))
  for (const other of Object.keys(RENDERERS)) rmSync(join(client, `view.${other}.ts`), { force: true })
  const manifest = join(folder, 'package.json')
  const content = JSON.parse(readFileSync(manifest, 'utf8'))
  content.devDependencies = sorted({ ...content.devDependencies, ...RENDERERS[renderer] })
  writeFileSync(manifest, `${JSON.stringify(content, null, 2)}\n`)
}

/** @param {Record<string, string>} versions */
function sorted(versions) {
  return Object.fromEntries(Object.entries(versions).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * The tarball of each of our packages, or what is missing.
 * @param {string} folder
 * @returns {Map<string, string> | string}
 */
function findTarballs(folder) {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const found = new Map()
  for (const name of OURS) {
    const start = `${name.replace('@', '').replace('/', '-')}-`
    const file = files.find((file) => file.startsWith(start) && /^\d[\w.-]*\.tgz$/.test(file.slice(start.length)))
    if (file === undefined) return `there is no ${start}<version>.tgz in ${folder}. "npm run pack" makes it.`
    found.set(name, join(folder, file))
  }
  return found
}

/**
 * Takes our packages out of tarballs, also those that only other packages of ours name. Tarballs in the folder itself are named as files
 * of it, so that it can be moved with them, into a container for one.
 * @param {string} folder
 * @param {Map<string, string>} tarballs
 */
function dependOn(folder, tarballs) {
  const manifest = join(folder, 'package.json')
  const content = JSON.parse(readFileSync(manifest, 'utf8'))
  const { dependencies, devDependencies } = content
  content.overrides = {}
  for (const [name, tarball] of tarballs) {
    const place = [dependencies, devDependencies].find((named) => name in named) ?? content.overrides
    const within = relative(folder, tarball).split(sep).join('/')
    place[name] = `file:${within.startsWith('..') || isAbsolute(within) ? tarball : within}`
  }
  writeFileSync(manifest, `${JSON.stringify(content, null, 2)}\n`)
}

/**
 * Whether a version of Node is below another one, such as 20.19.0 below 22.18.
 * @param {string} version
 * @param {string} than
 */
function isOlder(version, than) {
  const [major, minor] = version.split('.').map(Number)
  const [wantedMajor, wantedMinor] = than.split('.').map(Number)
  return major < wantedMajor || (major === wantedMajor && minor < wantedMinor)
}

/**
 * @param {string} reason
 * @param {number} [code] 2 for a wrong call, 1 for a machine that cannot do it
 */
function refuse(reason, code = 2) {
  console.error(`create-hurtbox: ${reason}`)
  return code
}
