/** What tests import as `vitest` in a mutation run: tests are collected instead of run; `expect` and `vi` are the real ones. */

import { expect, vi } from 'vitest'

type Body = (...values: never[]) => unknown
type Hooks = {
  readonly beforeAll: Body[]
  readonly afterAll: Body[]
  readonly beforeEach: Body[]
  readonly afterEach: Body[]
}

export type CollectedTest = { readonly name: string; run(): Promise<void> }

/** Outlives the modules, which are loaded again and again. */
type Collection = { tests: CollectedTest[]; suites: { readonly name: string; readonly hooks: Hooks }[] }
const kept = globalThis as unknown as { __collection?: Collection }

export function openCollection(): Collection {
  kept.__collection = { tests: [], suites: [{ name: '', hooks: noHooks() }] }
  return kept.__collection
}

function noHooks(): Hooks {
  return { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] }
}

function addTest(name: string, body: Body): void {
  const { tests, suites } = kept.__collection!
  const around = [...suites]
  const hooksOf = (when: keyof Hooks) => around.flatMap(({ hooks }) => hooks[when])
  const run = async () => {
    try {
      for (const hook of [...hooksOf('beforeAll'), ...hooksOf('beforeEach')]) await hook()
      await body()
    } finally {
      for (const hook of [...hooksOf('afterEach'), ...hooksOf('afterAll')].reverse()) await hook()
    }
  }
  tests.push({ name: [...around.map((suite) => suite.name), name].filter(Boolean).join(' > '), run })
}

function addSuite(name: string, body: Body): void {
  const { suites } = kept.__collection!
  suites.push({ name, hooks: noHooks() })
  body()
  suites.pop()
}

/** The forms of `test` and `describe` that our tests use: (name, body), (name, options, body), (name, body, timeout). */
function withForms(add: (name: string, body: Body) => void) {
  const bodyOf = (args: unknown[]) => args.find((arg) => typeof arg === 'function') as Body
  const plain = (name: string, ...args: unknown[]) => add(String(name), bodyOf(args))
  const many =
    (spread: boolean) =>
    (cases: readonly unknown[]) =>
    (name: string, ...args: unknown[]) => {
      // As vitest does it: a list of lists is spread, a list with anything else in it is not.
      const areLists = spread && cases.every(Array.isArray)
      for (const [n, values] of cases.entries()) {
        const given = areLists ? (values as unknown[]) : [values]
        add(`${name} (${n})`, () => bodyOf(args)(...(given as never[])))
      }
    }
  const nothing = Object.assign(() => {}, { each: () => () => {}, for: () => () => {} })
  const forms = Object.assign(plain, { each: many(true), for: many(false), skip: nothing, concurrent: plain })
  return Object.assign(forms, {
    runIf: (holds: unknown) => (holds ? forms : nothing),
    skipIf: (holds: unknown) => (holds ? nothing : forms),
  })
}

const test = withForms(addTest)
const describe = withForms(addSuite)

function hook(when: keyof Hooks) {
  return (body: Body) => void kept.__collection!.suites.at(-1)!.hooks[when].push(body)
}
const [beforeAll, afterAll, beforeEach, afterEach] = (
  ['beforeAll', 'afterAll', 'beforeEach', 'afterEach'] as const
).map(hook)

export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, test as it, vi }
