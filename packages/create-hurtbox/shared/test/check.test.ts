import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

// A test like the others, so that what it finds keeps none of them from running.
test('hurtbox check finds nothing', () => {
  const command = fileURLToPath(new URL('bin/hurtbox.js', import.meta.resolve('@hurtbox/cli/package.json')))
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'check'], { encoding: 'utf8' })
  console.log(stdout + stderr)
  assert.equal(status, 0, 'hurtbox check found something; it stands above')
})
