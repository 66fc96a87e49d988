/**
 * The service worker of a built page: keeps its files, so that it works without a network after the first visit.
 *
 * The page itself is asked for first, so that a new one is seen at once; its files have a hash in their names, never change, and
 * come from what was kept. Everything else (rooms, replays, health) is not touched.
 */

/** What the code below uses of a service worker's global scope. */
type Scope = {
  readonly registration: { readonly scope: string }
  readonly clients: { claim(): Promise<void> }
  readonly caches: {
    open(name: string): Promise<{ addAll(requests: readonly Request[]): Promise<void> }>
    keys(): Promise<string[]>
    delete(name: string): Promise<boolean>
    match(url: string): Promise<Response | undefined>
  }
  skipWaiting(): Promise<void>
  addEventListener(
    kind: 'install' | 'activate' | 'fetch',
    handler: (event: {
      readonly request: Request
      waitUntil(done: Promise<unknown>): void
      respondWith(answer: Promise<Response>): void
    }) => void,
  ): void
}

/** The worker as a script for a page with these files, by their paths below it. */
export function serviceWorkerCode(files: readonly string[], version: string): string {
  return `;(${run})(self, ${JSON.stringify(files)}, ${JSON.stringify(version)})\n`
}

/** Runs in the browser, from its source text: it must use nothing from around it. */
function run(scope: Scope, files: readonly string[], version: string): void {
  const { caches } = scope
  const base = scope.registration.scope
  const prefix = `hurtbox ${base} `
  const name = prefix + version
  const known = new Set(files.map((file) => new URL(file, base).href))

  scope.addEventListener('install', (event) => {
    const keepAll = async () => {
      const cache = await caches.open(name)
      await cache.addAll([...known, base].map((url) => new Request(url, { cache: 'no-cache' })))
      await scope.skipWaiting()
    }
    event.waitUntil(keepAll())
  })

  scope.addEventListener('activate', (event) => {
    const tidy = async () => {
      // A page that is still open may need the files of the version before.
      const old = (await caches.keys()).filter((key) => key.startsWith(prefix) && key !== name)
      await Promise.all(old.slice(0, -1).map((key) => caches.delete(key)))
      await scope.clients.claim()
    }
    event.waitUntil(tidy())
  })

  scope.addEventListener('fetch', (event) => {
    const { request } = event
    const url = request.url.split(/[?#]/, 1)[0]
    if (request.method !== 'GET') return
    if (url === base || url === `${base}index.html`) {
      event.respondWith(fetch(request).catch(async () => (await caches.match(base)) ?? Response.error()))
    } else if (known.has(url) || url.startsWith(`${base}assets/`)) {
      event.respondWith(caches.match(url).then((kept) => kept ?? fetch(request)))
    }
  })
}
