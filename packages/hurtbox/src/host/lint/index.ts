/**
 * What must not stand in the rules of a game: a rule for ESLint, and the list behind it for other tools.
 *
 * The same for Biome is the plugin `hurtbox/lint/determinism.grit`. `npx hurtbox check` finds all of it without either.
 *
 * @module hurtbox/lint
 */

export { determinism } from './eslint.ts'
export type { SyntaxContext, SyntaxNode, Variable } from './syntax.ts'
export { bare, isReference, nameOfFunction, propertyName, startOf, walk } from './syntax.ts'
export { findTraps, isIgnoredLine, type Trap, type TrapRule } from './traps.ts'
