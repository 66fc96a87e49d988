/**
 * Do all runtimes agree, and if not: which differs, in which scene, from which tick?
 *
 * No runtime is the reference. The hash most of them found is the agreed one, so the odd one out is named, whichever
 * it is. In a tie the runtime listed first is believed.
 */

import type { SceneResult } from './report.ts'

export type Run = { readonly runtime: string; readonly scenes: readonly SceneResult[] }

export type Difference = {
  readonly runtime: string
  readonly scene: string
  /** Undefined when the runtime did not report the scene at all. */
  readonly hash: string | undefined
  readonly agreed: string
  /** The first differing tick is at or before this one and after the hash before; undefined without hashes by tick. */
  readonly byTick: number | undefined
}

export type Comparison = {
  readonly scenes: readonly string[]
  readonly differences: readonly Difference[]
}

export function compare(runs: readonly Run[]): Comparison {
  const scenes = [...new Set(runs.flatMap((run) => run.scenes.map((result) => result.scene)))]
  const differences = scenes.flatMap((scene) => {
    const results = runs.map((run) => ({
      runtime: run.runtime,
      result: run.scenes.find((found) => found.scene === scene),
    }))
    const agreed = mostCommon(results.flatMap(({ result }) => (result === undefined ? [] : [result])))
    return results
      .filter(({ result }) => result === undefined || identity(result) !== identity(agreed))
      .map(({ runtime, result }) => ({
        runtime,
        scene,
        hash: result?.hash,
        agreed: agreed.hash,
        byTick: result && firstDifferingTick(result, agreed),
      }))
  })
  return { scenes, differences }
}

export function describeDifference({ runtime, scene, hash, agreed, byTick }: Difference): string {
  if (hash === undefined) return `${runtime}: scene "${scene}" was not reported.`
  const when = byTick === undefined ? '' : `, first seen at tick ${byTick}`
  return `${runtime}: scene "${scene}" differs${when}: ${hash}, the others have ${agreed}.`
}

/** Groups equal hashes under one letter, A for the first seen. Shows in the control which runtimes agree. */
export function letters(hashes: readonly (string | undefined)[]): string[] {
  const seen: string[] = []
  return hashes.map((hash) => {
    if (hash === undefined) return '-'
    if (!seen.includes(hash)) seen.push(hash)
    return String.fromCharCode(65 + seen.indexOf(hash))
  })
}

function firstDifferingTick(a: SceneResult, b: SceneResult): number | undefined {
  if (a.hashes === undefined || b.hashes === undefined || a.hashEvery === undefined || a.hashEvery !== b.hashEvery) {
    return undefined
  }
  const others = b.hashes
  const index = a.hashes.findIndex((hash, i) => hash !== others[i])
  return index === -1 ? undefined : (index + 1) * a.hashEvery
}

function mostCommon(results: readonly SceneResult[]): SceneResult {
  const votes = new Map<string, { result: SceneResult; count: number }>()
  for (const result of results) {
    const vote = votes.get(identity(result))
    if (vote === undefined) votes.set(identity(result), { result, count: 1 })
    else vote.count++
  }
  // A Map keeps insertion order, so of equal counts the first stays.
  return [...votes.values()].reduce((best, vote) => (vote.count > best.count ? vote : best)).result
}

/** Equal runs have equal ticks and equal hashes on the way, not only at the end. */
function identity(result: SceneResult): string {
  return JSON.stringify([result.ticks, result.hash, result.hashEvery, result.hashes])
}
