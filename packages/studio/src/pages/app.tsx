import { opensGame } from 'virtual:hurtbox-studio'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type DisputeAddress, readDispute } from '../dispute/address.ts'
import '../model/edits.ts'
import { type Moment, readMoment } from '../show/moment.ts'
import { gameNames } from '../sim/games.ts'
import { part } from '../sim/part.ts'
import { Opening } from '../ui/opening.tsx'
import { messageOf } from '../words.ts'
import { FrontPage } from './front.tsx'

/** Shows what the address asks for. Only a new game, scene or page is another page; the studio itself writes the rest. */
export function App() {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    // Not called for `replaceState`, by which a page writes down its own moment.
    const onChange = () => setHash(location.hash)
    addEventListener('hashchange', onChange)
    // Effects come after a frame, and the address may have changed meanwhile.
    onChange()
    return () => removeEventListener('hashchange', onChange)
  }, [])
  const dispute = readDispute(hash)
  if (dispute !== undefined) return <LazyDispute key={hash} address={dispute} />
  const moment = readMoment(hash) ?? (hash === '' && opensGame ? readMoment(`#game=${gameNames[0]}`) : undefined)
  return moment === undefined ? <FrontPage /> : <LazyPage key={hash} moment={moment} />
}

type Page = ComponentType<{ moment: Moment }>

const PAGES: Readonly<Record<Moment['page'], () => Promise<Page>>> = {
  play: () => import('./play.tsx').then(({ PlayPage }) => PlayPage),
  lab: () => import('./lab.tsx').then(({ LabPage }) => LabPage),
  online: () => import('./online.tsx').then(({ OnlinePage }) => OnlinePage),
}

/** The pages behind the first one are loaded when they are opened. */
function LazyPage({ moment }: { moment: Moment }) {
  return (
    <Opening
      open={async () => ({ Page: await part(PAGES[moment.page]) })}
      waiting="Loading…"
      describe={partWords}
      retries="page"
    >
      {({ Page }) => <Page moment={moment} />}
    </Opening>
  )
}

function LazyDispute({ address }: { address: DisputeAddress }) {
  const open = async () => ({ Page: await part(() => import('../dispute/dispute.tsx').then((it) => it.DisputePage)) })
  return (
    <Opening open={open} waiting="Loading…" describe={partWords} retries="page">
      {({ Page }) => <Page address={address} />}
    </Opening>
  )
}

function partWords(error: unknown): string {
  return `A part of this page could not be loaded${navigator.onLine ? '' : ': there is no network'}. (${messageOf(error)})`
}
