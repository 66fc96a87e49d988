/** Playing in the studio's page, what takes long: a match to its end, and every size of the window. */

import { expect, test } from 'vitest'
import { expectNothingCovered } from './covering.ts'
import { clockOf, leaveControls, poll, waitForClock } from './pages.ts'
import { useStudio } from './use-studio.ts'

const { open } = useStudio()

const small = { viewport: { width: 1000, height: 640 } }
const touch = { hasTouch: true, isMobile: true }

test('[PL2] at the end: the winner by name, a table, and play again, another seed, the last hit, a link; who killed you meanwhile', async () => {
  const { page, problems } = await open('#game=jet-raiders&seed=5&option.matchSeconds=14', {
    ...small,
    permissions: ['clipboard-write', 'clipboard-read'],
  })
  await page.getByRole('button', { name: 'hard' }).click()
  await page.getByTestId('begin').click()
  await waitForClock(page, ({ tick }) => tick > 3, 'the match to run')
  await leaveControls(page)
  await page.keyboard.press('=')
  // Idle, one is shot down soon: by whom, and when one is back.
  const death = page.getByTestId('death')
  await poll(async () => ((await death.count()) > 0 ? await death.textContent() : ''), 'who it was').toMatch(
    /P\d kills you.*back in \d/s,
  )
  const end = page.getByTestId('end')
  await end.waitFor({ timeout: 90_000 })
  expect(await end.getByRole('heading').textContent()).toMatch(/^(You win|P\d wins|A draw)$/)
  expect(await end.locator('tbody tr').count()).toBe(6)
  expect(await end.locator('thead').textContent()).toContain('kills')
  const { length } = await clockOf(page)
  await end.getByRole('button', { name: 'Share' }).click()
  await poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('record=')
  await end.getByRole('button', { name: 'Watch the last hit' }).click()
  await waitForClock(page, ({ tick }) => tick < length, 'the past')
  await end.waitFor({ timeout: 90_000 })
  await page.getByTestId('again').click()
  await page.getByTestId('countdown').waitFor()
  await waitForClock(page, (clock) => clock.length < length && clock.tick > 3, 'the same match again')
  expect(problems).toEqual([])
})

test.each([
  { viewport: { width: 1440, height: 900 } },
  { viewport: { width: 1024, height: 768 } },
  { viewport: { width: 844, height: 390 }, ...touch },
])(
  '[PL3] [PL16] nothing covers anything at $viewport.width: figures, sticks, buttons, bars, notices, and what games write',
  (screen) => expectNothingCovered(open, screen),
)
