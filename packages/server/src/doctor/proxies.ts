/**
 * Whether `--proxies` is right, which only both ends together can say: we send `X-Forwarded-For` with an address that nobody has, the server shows the
 * operator what has come of it, and what stands behind ours was added by proxies, one each.
 */

import { type Finding, judge } from './finding.ts'
import { request } from './http.ts'
import type { Visit } from './outside.ts'

/** What the server says to the operator of a request of ours; see `createHealth` in requests.ts. */
type Seen = { readonly proxies: number; readonly forwarded: readonly string[] }

/** For documentation only (RFC 5737), so no proxy has it. */
const MARK = '192.0.2.77'

export async function examineProxies({ url, token, waitMs }: Visit): Promise<Finding> {
  const { ok, wrong, skipped } = judge('proxies')
  if (token === undefined) return skipped('with the HURTBOX_TOKEN of the server it is seen whether --proxies is right')
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': MARK }
  const { status, body } = await request(new URL('health', url), { waitMs, headers })
  if (status === 401 || status === 429)
    return wrong('HURTBOX_TOKEN is not that of the server: set the one it was started with.')
  const { seen } = JSON.parse(body) as { readonly seen?: Seen }
  if (seen === undefined) return skipped('a proxy keeps the token from the server')
  const { proxies, forwarded } = seen
  const at = forwarded.indexOf(MARK)
  const added = forwarded.length - at - 1
  // We send one, so what is not there was taken away by a proxy that begins the list anew.
  const isBehind = at < 0 || added > 0 || url.protocol === 'https:' || url.pathname !== '/'
  if (isBehind && added === 0) {
    return wrong(
      'A proxy stands in front and does not say for whom: let it add X-Forwarded-For (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for).',
    )
  }
  if (proxies === added) return ok(added === 0 ? 'none' : `${added} in front, as the server knows`)
  const cure = `start the server with --proxies ${added} (PROXIES=${added})`
  return wrong(
    proxies < added
      ? `${added} in front and the server knows of ${proxies}, so all players count as one address: ${cure}.`
      : `${added} in front and the server believes ${proxies}, so players can forge their address: ${cure}.`,
  )
}
