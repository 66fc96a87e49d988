/** The server whose rooms the page offers: the one it came from, or the one that the studio's own server passes requests on to. */

import { serverPath } from 'virtual:hurtbox-studio'

export function serverUrl(): string {
  return new URL(`.${serverPath}`, document.baseURI).href.replace(/\/$/, '')
}
