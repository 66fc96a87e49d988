/** The elements of a page: a bar, the stage, who is there. What its buttons do is given to them once there is a view. */

import type { LoadedModule } from 'hurtbox/module'
import { addStyle, make, makeButton } from '../parts/dom.ts'
import { BASE } from '../parts/style.ts'
import { createCodeField, createRoster, type Invitation } from '../room/index.ts'
import { createNotice } from '../sheets/index.ts'
import { STYLE } from './style.ts'

export type Ui = ReturnType<typeof makeUi>

export function makeUi(element: HTMLElement, { title }: LoadedModule, isOnline: boolean) {
  addStyle(BASE)
  addStyle(STYLE)
  const acts = {
    alone: () => {},
    online: () => {},
    invite: () => {},
    watch: () => {},
    keys: () => {},
    code: (_: Invitation) => {},
  }
  const button = (part: 'alone' | 'online' | 'invite' | 'watch' | 'keys', label: string) =>
    makeButton(part, label, () => acts[part]())
  const replay = make('a', { className: 'hb-button', hidden: true }, 'Replay up to there')
  replay.dataset.part = 'replay'
  const friends = make(
    'div',
    { className: 'hb-actions', hidden: true },
    button('invite', 'Invite'),
    button('watch', 'Watch link'),
  )
  const ping = make('span', { className: 'hb-muted' })
  const watching = make('span', { className: 'hb-muted' })
  const status = make('p', { role: 'status' })
  status.dataset.part = 'status'
  const roster = createRoster()
  const code = isOnline ? createCodeField((invitation) => acts.code(invitation)) : undefined
  const sound = make('span')
  const plays = make(
    'div',
    { className: 'hb-actions' },
    button('alone', 'Play alone'),
    isOnline ? button('online', 'Play online') : undefined,
  )
  const bar = make('header', { className: 'hb-bar' }, make('h1', {}, title), plays, friends, replay, ping)
  bar.append(make('span', { className: 'hb-space' }), sound, button('keys', 'Keys'))
  const figures = make('div', { className: 'hb-figures' })
  // Until the view is there nothing can be played.
  for (const each of bar.querySelectorAll('button')) each.disabled = true
  const view = make('div', { className: 'hb-view' })
  const notice = createNotice(view, 'line')
  const aside = make('div', { className: 'hb-foot' }, status, roster.element, watching, code)
  element.classList.add('hb-page')
  element.replaceChildren(bar, figures, make('main', { className: 'hb-main' }, view), make('footer', {}, aside))
  return { element, view, figures, status, friends, replay, ping, watching, roster, notice, sound, code, acts }
}
