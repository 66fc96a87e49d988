/** Files that put a created project online: what they say of names, ports and rights, and that those who read them can. */

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as apps from 'kubernetes-models/apps/v1'
import * as network from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { parse as parseToml } from 'smol-toml'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { parseAllDocuments, parse as parseYaml } from 'yaml'
import { hurtbox } from '../../packages/cli/test/command.ts'
import { readEnvironment } from '../../packages/server/src/environment.ts'
import { repositoryRoot } from '../engines/install-npm.ts'

const scratch = mkdtempSync(join(tmpdir(), 'hurtbox-deploy-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const NAME = 'goblin-hunt'
const project = join(scratch, NAME)
create(NAME, '--template', 'slime-pit')
const read = (file: string) => readFileSync(join(project, file), 'utf8')
const deploy = (...args: string[]) => hurtbox(['deploy', ...args], { cwd: project })

function create(...args: string[]): void {
  const bin = join(repositoryRoot, 'packages/create-hurtbox/bin/create-hurtbox.js')
  execFileSync(process.execPath, [bin, ...args], { cwd: scratch, stdio: 'pipe' })
}

/** Variables that the server does not read but the files use. */
const OTHERS = ['NODE_ENV', 'POD_NAME', 'POD_INDEX']

function expectKnown(variables: Readonly<Record<string, string>>): void {
  const ours = Object.entries(variables).filter(([name]) => !OTHERS.includes(name))
  expect(ours.length).toBeGreaterThan(2)
  expect(Object.keys(readEnvironment(Object.fromEntries(ours))), ours.join('; ')).toHaveLength(ours.length)
}

type Service = {
  image: string
  user?: string
  read_only?: boolean
  cap_drop?: string[]
  command?: string[]
  environment: Record<string, string | number>
  ports?: string[]
  volumes: string[]
}
type Compose = { services: Record<'one' | 'two' | 'redis' | 'caddy', Service>; volumes: Record<string, null> }
const compose = parseYaml(read('compose.yaml'), { merge: true }) as Compose

describe('a created project', () => {
  test('[DP1] from every template has the files that put it online, with its own name', () => {
    for (const [i, template] of ['slime-pit', 'canvas', 'three'].entries()) {
      const name = `goblins-${i}`
      create(name, '--template', template)
      const folder = join(scratch, name)
      for (const file of ['Dockerfile', '.dockerignore', 'compose.yaml', 'Caddyfile']) {
        const text = readFileSync(join(folder, file), 'utf8')
        expect(text, file).not.toMatch(/slime-pit|shield-ball/)
        if (/Dockerfile|compose/.test(file)) expect(text).toContain(name)
      }
      // What is started is there, and what is copied.
      expect(readdirSync(folder)).toEqual(expect.arrayContaining(['server', 'package.json', '.npmrc']))
      expect(readdirSync(join(folder, 'server'))).toContain('main.ts')
    }
  })

  test('[DP2] its image is not root, starts the server as its first process, and knows whether it is well', () => {
    const steps = read('Dockerfile').split(/^FROM .*$/m)
    const last = steps.at(-1)!
    expect(steps).toHaveLength(4)
    expect(last).toMatch(/^USER node$/m)
    expect(last).toMatch(/^VOLUME \/data$/m)
    expect(last).toMatch(/^CMD \["node", "server\/main.ts"\]$/m)
    expect(last).toMatch(/^HEALTHCHECK .*\\\n {2}CMD \["node", .*\/health/m)
    expect(last.indexOf('chown node:node /data')).toBeLessThan(last.indexOf('VOLUME'))
    expect(steps[2]).toContain('npm ci --omit=dev --omit=optional')
    // Packages of this machine, secrets and old pages stay out of it.
    const ignored = read('.dockerignore').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['node_modules', 'dist', '.env', '.git', '.cache']))
    for (const line of read('.gitignore').split('\n')) {
      if (/^[.*\w]/.test(line)) expect(ignored).toContain(line.replace(/\/$/, ''))
    }
    expectKnown(variablesIn(/^ENV (.*)$/m.exec(last)![1]))
  })

  test('[DP3] its compose file: two servers with ways of their own, which write nowhere but to their volumes', () => {
    const { one, two, redis, caddy } = compose.services
    for (const server of [one, two]) {
      expect(server).toMatchObject({ image: NAME, read_only: true, cap_drop: ['ALL'] })
      expectKnown(filled(server.environment))
    }
    const servers = { one, two }
    const proxy = read('Caddyfile')
    for (const [i, [name, server]] of Object.entries(servers).entries()) {
      const path = `/${i + 1}/`
      expect(server.environment.PUBLIC_ADDRESS).toMatch(new RegExp(`^https://\\$\\{DOMAIN.*\\}${path}$`))
      expect(proxy).toMatch(new RegExp(`handle_path ${path}\\* \\{\\s*reverse_proxy ${name}:2567`))
      const [outside, inside] = server.ports![0].split(/[:/]/)
      expect(server.ports).toHaveLength(1)
      expect(server.environment.UDP_ADDRESSES).toBe(`\${DOMAIN}:${outside}`)
      expect(server.environment.UDP_PORT).toBe(Number(inside))
      expect(server.volumes).toEqual([`${name}:/data`])
    }
    expect(redis.command).toEqual(['redis-server', '--appendonly', 'yes', '--appendfsync', 'always'])
    expect(redis.ports).toBeUndefined()
    expect(caddy.ports).toEqual(['80:80', '443:443', '443:443/udp'])
    // Without a name or a password it does not start, and says what to write.
    for (const name of ['DOMAIN', 'HURTBOX_TOKEN']) expect(read('compose.yaml')).toContain(`\${${name}:?write ${name}=`)
  })

  test('[DP3] Compose itself takes its compose file, and not without name and password', ({ skip }) => {
    const compose = composeCommand()
    if (compose === undefined) return skip('no Compose here')
    const config = (env: Readonly<Record<string, string>>) =>
      spawnSync(compose[0], [...compose.slice(1), 'config'], {
        cwd: project,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      })
    const settings = { DOMAIN: 'play.example.org', HURTBOX_TOKEN: 'password' }
    const { status, stdout, stderr } = config(settings)
    expect(status, stderr).toBe(0)
    const { services } = parseYaml(stdout) as Compose
    for (const [path, server] of [services.one, services.two].entries()) {
      const PUBLIC_ADDRESS = `https://play.example.org/${path + 1}/`
      expect(server).toMatchObject({ read_only: true, environment: { PUBLIC_ADDRESS, HURTBOX_TOKEN: 'password' } })
    }
    for (const name of ['DOMAIN', 'HURTBOX_TOKEN']) {
      const refused = config({ ...settings, [name]: '' })
      expect([refused.status, refused.stderr]).toEqual([expect.any(Number), expect.stringContaining(`write ${name}=`)])
      expect(refused.status).not.toBe(0)
    }
  })
})

describe('hurtbox deploy', () => {
  beforeEach(() => {
    for (const left of ['deploy', 'fly.toml']) rmSync(join(project, left), { recursive: true, force: true })
  })

  test('[DP4] fly: one machine that is not stopped, UDP where Fly wants it', async () => {
    const { code, stdout } = await deploy('fly')
    expect(code).toBe(0)
    const fly = parseToml(read('fly.toml')) as {
      app: string
      kill_signal: string
      env: Record<string, string>
      http_service: { internal_port: number; auto_stop_machines: string }
      services: { protocol: string; internal_port: number; ports: { port: number }[] }[]
      mounts: { destination: string }
    }
    expect(fly).toMatchObject({
      app: NAME,
      kill_signal: 'SIGTERM',
      http_service: { internal_port: 2567, auto_stop_machines: 'off' },
      services: [{ protocol: 'udp', internal_port: 2567, ports: [{ port: 2567 }] }],
      mounts: { destination: '/data' },
    })
    expect(fly.env).toMatchObject({ UDP_HOST: 'fly-global-services', UDP_ADDRESSES: `${NAME}.fly.dev:2567` })
    expectKnown(fly.env)
    expect(stdout).toMatch(/Next:[\s\S]*fly apps create goblin-hunt\n[\s\S]*at https:\/\/goblin-hunt\.fly\.dev\//)
  })

  test('[DP4] kubernetes: every manifest fits the schema of its kind, and they name each other rightly', async () => {
    const { code } = await deploy('kubernetes', '--domain', 'play.example.org', '--image', 'r.example.org/g:1')
    expect(code).toBe(0)
    const manifests = manifestsIn(read('deploy/kubernetes.yaml'))
    for (const manifest of manifests) expect(() => validate(manifest), manifest.kind).not.toThrow()
    const names = (kind: string) => manifests.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name)
    expect(names('Service')).toEqual(
      ['-redis', '', '-0', '-0-datagrams', '-1', '-1-datagrams'].map((end) => NAME + end),
    )
    expect(names('StatefulSet')).toEqual([`${NAME}-redis`, NAME])
    const text = JSON.stringify(manifests)
    const backends = [...text.matchAll(/"service":\{"name":"([^"]+)"/g)].map(([, name]) => name)
    expect(backends).toEqual([`${NAME}-0`, `${NAME}-1`, NAME])
    const server = manifests.find(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === NAME)!
    const [container] = (server as unknown as Pods).spec.template.spec.containers
    expect(container.image).toBe('r.example.org/g:1')
    expectKnown(Object.fromEntries(container.env.flatMap(({ name, value }) => (value ? [[name, value]] : []))))
    // The UDP port that a server says is the one that its node has.
    const ports = [...text.matchAll(/"nodePort":(\d+)/g)].map(([, port]) => port)
    const said = container.env.find(({ name }) => name === 'UDP_ADDRESSES')!.value!
    expect(ports.map((port) => `play.example.org:${port}`)).toEqual(
      [0, 1].map((index) => said.replace('$(POD_INDEX)', String(index))),
    )
  })

  test('[DP4] the schemas refuse a manifest that is wrong', () => {
    expect(() =>
      validate({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec: { ports: [{ port: 'http' }] } }),
    ).toThrow('port must be integer')
  })

  test('[DP4] systemd: a unit that systemd takes, with a user and a folder of its own', async ({ skip }) => {
    expect((await deploy('systemd', '--domain', 'play.example.org')).code).toBe(0)
    const unit = read(`deploy/${NAME}.service`)
    expectKnown(
      variablesIn(
        unit
          .match(/^Environment=.*$/gm)!
          .map((line) => line.slice('Environment='.length))
          .join(' '),
      ),
    )
    expect(unit).toMatch(/^DynamicUser=yes$/m)
    expect(unit).toContain(`Environment=DATA_DIR=/var/lib/${NAME}\n`)
    expect(unit).toMatch(new RegExp(`^StateDirectory=${NAME}$`, 'm'))
    expect(read('deploy/Caddyfile')).toMatch(/^play\.example\.org \{\n\treverse_proxy 127\.0\.0\.1:2567\n\}$/m)
    // It looks for the program, too: there need not be a Node where it is on the machine of the unit.
    const file = join(project, `deploy/${NAME}.service`)
    writeFileSync(file, unit.replace('/usr/bin/node', process.execPath))
    const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    if (error !== undefined) skip('no systemd-analyze here')
    expect({ status, ours: stderr.split('\n').filter((line) => line.includes(NAME)) }).toEqual({ status: 0, ours: [] })
  })

  test('[DP5] names and ports are the project’s own', async () => {
    const manifest = read('package.json')
    const dockerfile = read('Dockerfile')
    try {
      writeFileSync(join(project, 'package.json'), manifest.replace(`"${NAME}"`, '"@elves/Bow_Range"'))
      writeFileSync(join(project, 'Dockerfile'), dockerfile.replace('PORT=2567', 'PORT=4000'))
      expect((await deploy('fly')).code).toBe(0)
      expect((await deploy('systemd', '--domain', 'play.example.org')).code).toBe(0)
      expect(read('fly.toml')).toContain('app = "bow-range"')
      expect(read('fly.toml')).toContain('internal_port = 4000')
      expect(read('deploy/bow-range.service')).toContain('PORT=4000')
      expect(read('fly.toml') + read('deploy/bow-range.service')).not.toContain('2567')
    } finally {
      writeFileSync(join(project, 'package.json'), manifest)
      writeFileSync(join(project, 'Dockerfile'), dockerfile)
    }
  })

  test('[DP6] a file that is there with other text is kept, unless it is said', async () => {
    writeFileSync(join(project, 'fly.toml'), 'mine')
    const refused = await deploy('fly')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/fly\.toml is there already.*--force/)])
    expect(read('fly.toml')).toBe('mine')
    expect((await deploy('fly', '--force')).code).toBe(0)
    expect((await deploy('fly')).code).toBe(0)
  })

  const wrong: readonly (readonly [string, RegExp])[] = [
    ['fli', /no place "fli"\. Did you mean fly\?/],
    ['systemd', /needs to know domain: hurtbox deploy systemd --domain play\.example\.org/],
    ['kubernetes --domain a.example.org', /needs to know image/],
    ['fly --domain https://play.example.org/', /is no name of a host\. Without https/],
    ['kubernetes --domain a.example.org --image $(x)', /is no name of an image/],
  ]
  test.for(wrong)('[DP6] hurtbox deploy %s is refused, and nothing is written', async ([line, message]) => {
    const { code, stderr } = await deploy(...line.split(' '))
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
    expect(existsSync(join(project, 'deploy')) || existsSync(join(project, 'fly.toml'))).toBe(false)
  })

  test('[DP6] where there is no server to start, it says what it wants', async () => {
    const { code, stderr } = await hurtbox(['deploy', 'fly'], { cwd: scratch })
    expect([code, stderr]).toEqual([2, expect.stringMatching(/a project with a server\/main\.ts/)])
  })
})

/** Neither needs an engine to read a file. */
function composeCommand(): readonly string[] | undefined {
  const ways = [['docker', 'compose'], ['docker-compose']]
  return ways.find(([command, ...args]) => spawnSync(command, [...args, 'version'], { stdio: 'ignore' }).status === 0)
}

type Pods = {
  spec: { template: { spec: { containers: { image: string; env: { name: string; value?: string }[] }[] } } }
}
type Manifest = { apiVersion: string; kind: string; metadata: { name: string } }

const KINDS = { ...core, ...apps, ...network, ...policy } as unknown as Readonly<
  Record<string, (new (data: object) => { validate(): void }) | undefined>
>

function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS() as Manifest
  })
}

function validate(manifest: Manifest & { readonly spec?: object }): void {
  const Kind = KINDS[manifest.kind]
  if (Kind === undefined) throw new Error(`There is no kind ${manifest.kind}.`)
  new Kind(manifest).validate()
}

/** `A=1 B=2` */
function variablesIn(text: string): Record<string, string> {
  return Object.fromEntries(text.split(' ').map((pair) => pair.split('=') as [string, string]))
}

/** As compose fills them in. */
function filled(environment: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      String(value).replace(/\$\{(\w+)[^}]*\}/g, (_, variable) =>
        variable === 'DOMAIN' ? 'play.example.org' : 'password',
      ),
    ]),
  )
}
