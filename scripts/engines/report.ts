/** What a runtime reports about one scene, and about all of them. The probe writes it, the matrix reads it. */

export type SceneResult = {
  readonly scene: string
  readonly ticks: number
  /** Of the final state, in hex. */
  readonly hash: string
  /** `hashes[i]` is the hash after tick `(i + 1) * hashEvery`: with them a difference is reported with its tick. */
  readonly hashes?: readonly string[]
  readonly hashEvery?: number
}

export type ProbeReport = {
  /** Time spent inside the probe, by the runtime's own clock. */
  readonly ms: number
  /** The CPU the runtime believes it runs on; a browser does not report it. */
  readonly cpu?: string
  readonly scenes: readonly SceneResult[]
  /** Native `Math` functions, hashed for `--control`. */
  readonly control?: readonly SceneResult[]
}
