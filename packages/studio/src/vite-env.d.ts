/// <reference types="vite/client" />

/** What the page knows of the project it shows; made by `node/plugin.ts`. */
declare module 'virtual:hurtbox-studio' {
  /** The games by the names of their files. A stamp loads one anew, after an edit. */
  export const games: readonly {
    readonly name: string
    readonly file: string
    /** What a built page shows of it before it is loaded. */
    readonly card?: { readonly title: string; readonly about: string; readonly still: string }
    load(stamp?: number): Promise<{ readonly default?: unknown }>
  }[]
  export const workerUrl: string
  /** Where rooms are, below the address of the page; '' for right there. */
  export const serverPath: string
  /** Whether the only game is opened at once. */
  export const opensGame: boolean
}
