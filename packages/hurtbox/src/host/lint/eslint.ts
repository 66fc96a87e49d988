/** The same list as a rule of ESLint, so that an editor underlines a mistake while it is being made. */

import { type SyntaxNode, startOf } from './syntax.ts'
import { findTraps, isIgnoredLine } from './traps.ts'

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
        const source = context.sourceCode.getText()
        const lines = source.split('\n')
        for (const { node, message, instead } of findTraps(program, source)) {
          const line = source.slice(0, startOf(node)).split('\n').length - 1
          if (!isIgnoredLine(lines, line)) context.report({ node, message: `${message} ${instead}` })
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
 * export default [{ files: ['game/*.ts'], ...determinism }]
 * ```
 */
export const determinism = {
  plugins: { hurtbox: { meta: { name: 'hurtbox' }, rules: { determinism: rule } } },
  rules: { 'hurtbox/determinism': 'error' },
} as const
