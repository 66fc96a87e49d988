/** A page in a browser, as far as scenarios need it: the same for every browser. */

export type BrowserName = 'chromium' | 'firefox'

export type Tab = {
  /** What the page and the browser said in the console, and errors. */
  readonly messages: string[]
  goto(url: string): Promise<void>
  /** The value of an expression of JavaScript in the page, as JSON. */
  evaluate<T>(expression: string): Promise<T>
  reload(): Promise<void>
  /** A picture of the page as PNG. */
  picture(): Promise<Buffer>
  /** Another tab comes to the front: this one is hidden. Chromium needs a real window for that. */
  hide(): Promise<void>
  show(): Promise<void>
  /** What a phone does with a page in the background: nothing in it runs. Chromium only. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** The process of the page dies; `reload` opens it again. Chromium only. */
  crash(): Promise<void>
  /** The processor is so many times slower. Chromium only. */
  slow(times: number): Promise<void>
}

export type OpenOptions = {
  /** A real window on a screen of its own, in which tabs can be hidden. */
  readonly windowed?: boolean
  /** So many pixels of the picture for one of the page, each way. Default: 1. */
  readonly pixelRatio?: number
}
