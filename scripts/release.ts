/**
 * Publishes the packages of a tag: `npm run release -- v1.2.3`, which the release workflow runs. `--dry-run` sends nothing.
 *
 * Everything is checked and packed before the first package is sent. A package that is already there in this version is
 * skipped, so a release that failed half-way is finished by running it again.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Manifest, pack, publicPackages } from './pack.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What keeps these packages from being released under this tag, one sentence each. */
export function releaseProblems(tag: string, manifests: readonly Manifest[], changelog: string): string[] {
  const version = tag.replace(/^v/, '')
  if (!/^v\d+\.\d+\.\d+(-[\w.]+)?$/.test(tag)) return [`"${tag}" is not a tag of a release, such as v1.2.3.`]
  const problems = manifests
    .filter((manifest) => manifest.version !== version)
    .map(({ name, version }) => `${name} has version ${version}, the tag is ${tag}.`)
  const names = new Set(manifests.map(({ name }) => name))
  for (const manifest of manifests) {
    for (const [other, range] of wantedBy(manifest)) {
      if (names.has(other) && range.replace(/^[\^~]/, '') !== version)
        problems.push(`${manifest.name} depends on ${other} ${range}, the tag is ${tag}.`)
    }
  }
  const heading = changelog.split('\n').find((line) => line.startsWith(`## ${version}`))
  if (heading === undefined) problems.push(`CHANGELOG.md has no section "## ${version}".`)
  else if (/unreleased/.test(heading)) problems.push(`CHANGELOG.md calls ${version} unreleased.`)
  return problems
}

function wantedBy(manifest: Manifest): [name: string, range: string][] {
  const { dependencies, peerDependencies, devDependencies } = manifest
  const kinds = [dependencies, peerDependencies, devDependencies] as (Record<string, string> | undefined)[]
  return kinds.flatMap((wanted) => Object.entries(wanted ?? {}))
}

function main(args: string[]): number {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  })
  if (positionals.length !== 1) return fail('usage: npm run release -- <tag> [--dry-run]')
  const [tag] = positionals
  const manifests = publicPackages.map((folder) => manifestIn(`packages/${folder}`))
  // A game that is generated takes the packages of the same release.
  const template = { ...manifestIn('packages/create-hurtbox/shared'), name: 'the template', version: tag.slice(1) }
  const changelog = readFileSync(`${root}CHANGELOG.md`, 'utf8')
  const problems = releaseProblems(tag, [...manifests, template], changelog)
  if (problems.length > 0) return fail(problems.join('\n'))
  const tarballs = publicPackages.map((folder) => pack(folder))
  // A pre-release must not become what `npm install` takes.
  const channel = tag.includes('-') ? 'next' : 'latest'
  const options = ['--provenance', '--access', 'public', '--tag', channel]
  for (const [i, { name, version }] of manifests.entries()) {
    if (npm('view', `${name}@${version}`, 'version') === version) console.log(`${name} ${version} is already published`)
    else if (values['dry-run']) console.log(`npm publish ${tarballs[i]} ${options.join(' ')}`)
    else if (npm('publish', tarballs[i], ...options) === undefined)
      return fail(`${name} could not be published; npm says why above.`)
  }
  return 0
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(`${root}${folder}/package.json`, 'utf8')) as Manifest
}

/** What npm printed; undefined if it failed. */
function npm(...args: string[]): string | undefined {
  const isAsking = args[0] === 'view'
  const { status, stdout } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    // That a version is not there yet is no error to show.
    stdio: ['ignore', 'pipe', isAsking ? 'ignore' : 'inherit'],
    shell: process.platform === 'win32',
  })
  return status === 0 ? stdout.trim() : undefined
}

function fail(reason: string): number {
  console.error(`release: ${reason}`)
  return 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2))
