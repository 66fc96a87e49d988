/** The repository's own tests poison the globals as `hurtbox check` does. */
export { withPoisonedGlobals } from '../../packages/cli/src/check/poison.ts'
