/** The same list as a rule of ESLint, so that an editor underlines a mistake while it is being made. */

import type { SyntaxNode } from './syntax.ts'
import { findTraps } from './traps.ts'

/** What the rule uses of ESLint; the package does not depend on it. */
type LintContext = {
  readonly sourceCode: { getText(): string }
  report(problem: { readonly node: SyntaxNode; readonly message: string }): void
}

const rule = {
  meta: {
    type: 'problem',
    docs: { description: 'forbids in the rules of a game what is not the same in every engine, process or moment' },
    schema: [],
  },
  create(context: LintContext) {
    return {
      'Program:exit'(program: SyntaxNode) {
        for (const { node, message, instead } of findTraps(program, context.sourceCode.getText())) {
          context.report({ node, message: `${message} ${instead}` })
        }
      },
    }
  },
} as const

/**
 * Settings for ESLint's flat configuration. Say which files hold your rules: bots, views and servers may use what they like.
 *
 * @example
 * ```js
 * // eslint.config.js
 * import { determinism } from 'hurtbox/lint'
 *
 * export default [{ files: ['game/**'], ...determinism }]
 * ```
 */
export const determinism = {
  plugins: { hurtbox: { meta: { name: 'hurtbox' }, rules: { determinism: rule } } },
  rules: { 'hurtbox/determinism': 'error' },
} as const
