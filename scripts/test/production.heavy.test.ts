/** What a created project needs to be played: installed by npm from the packed packages, without what only making the game needs. */

import { execFileSync, spawn } from 'node:child_process'
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { MOST, needsOfProcess } from '../image/idle.ts'
import { createProject } from '../image/project.ts'

const scratch = mkdtempSync(join(tmpdir(), 'hurtbox-production-'))
afterAll(() => rmSync(scratch, { recursive: true, maxRetries: 10 }))

test('[DP7] a production install weighs less than 50 MB, has no compiler, and starts a server that needs little', {
  timeout: 300_000,
}, async () => {
  const folder = join(scratch, 'goblin-hunt')
  await createProject(folder, 'goblin-hunt')
  const args = ['ci', '--omit=dev', '--omit=optional', '--prefer-offline', '--no-audit', '--no-fund']
  execFileSync('npm', args, { cwd: folder, stdio: 'pipe', shell: process.platform === 'win32' })
  const installed = join(folder, 'node_modules')
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  const onDisk = files.reduce((sum, file) => sum + lstatSync(join(installed, file)).blocks / 2048, 0)
  console.log(`a production install: ${onDisk.toFixed(1)} MB on disk, ${readdirSync(installed).length} folders`)
  expect(onDisk).toBeLessThan(MOST.packagesMb)
  for (const name of ['typescript', '@typescript', 'vite', '@hurtbox/studio', '@hurtbox/cli', '@hurtbox/view']) {
    expect(existsSync(join(installed, name)), name).toBe(false)
  }
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const address = await new Promise<string>((resolve, reject) => {
      server.stdout.on('data', (text) => {
        const [, found] = /"address":"([^"]+)".*"msg":"listening"/.exec(String(text)) ?? []
        if (found !== undefined) resolve(found)
      })
      server.on('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    })
    expect((await fetch(`http://${address}/health`)).status).toBe(200)
    if (process.platform !== 'linux') return
    const [status, stat] = ['status', 'stat'].map((name) => readFileSync(`/proc/${server.pid}/${name}`, 'utf8'))
    const { rssMb, startCpuSeconds } = needsOfProcess(status, stat)
    console.log(`its server: ${rssMb.toFixed(0)} MB of memory, ${startCpuSeconds.toFixed(2)} s of CPU time to start`)
    expect(rssMb).toBeLessThan(MOST.rssMb)
    expect(startCpuSeconds).toBeLessThan(MOST.startCpuSeconds)
  } finally {
    server.kill('SIGKILL')
  }
})
