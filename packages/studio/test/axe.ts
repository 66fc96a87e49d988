/** What axe finds wrong on a page for people who do not see it, or do not use a mouse. */

import axe from 'axe-core'
import type { Page } from 'playwright-core'

type Found = { readonly id: string; readonly impact?: string; readonly nodes: readonly { readonly html: string }[] }

/** Serious and critical findings, each with an element that has it. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // Not as a script of the page, which its policy would forbid.
  await page.evaluate(axe.source)
  const violations = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  )) as Found[]
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}
