export { HurtboxError } from './errors.ts'
