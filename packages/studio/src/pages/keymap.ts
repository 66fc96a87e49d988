/** The studio's keys: one table that acts on keys and is shown with `?`. */

import { copyLink } from '../model/address.ts'
import { bookmark, goToBookmark, markLoop } from '../model/bookmarks.ts'
import { beginMatch, toggleInspect } from '../model/play.ts'
import { randomSeed } from '../model/setup.ts'
import type { Studio } from '../model/studio.ts'
import { changeSpeed, goToHit, playPause, restart, scrub, step } from '../model/time.ts'
import { isMuted } from '../model/volume.ts'
import { gameNames, nameOfGame } from '../sim/games.ts'
import { downloadReplay } from '../ui/files.ts'

export type Command = {
  readonly label: string
  /** As shown. */
  readonly keys: string
  /** `KeyboardEvent.key` in lower case; with `shift+` in front where it matters. */
  readonly on: readonly string[]
  run(studio: Studio, event: KeyboardEvent): void
}

const toggle =
  (layer: 'boxes' | 'grid' | 'bounds' | 'contacts' | 'velocities') =>
  (studio: Studio): void => {
    studio.layers.value = { ...studio.layers.value, [layer]: !studio.layers.value[layer] }
  }

export const commands: readonly Command[] = [
  { label: 'Play or pause', keys: 'Space  P', on: [' ', 'p'], run: playKey },
  { label: 'One tick forward', keys: '.  O', on: ['.', 'o'], run: (studio) => step(studio, 1) },
  { label: 'One tick back', keys: ',', on: [','], run: (studio) => step(studio, -1) },
  {
    label: 'Ten ticks forward',
    keys: 'Shift .',
    on: ['shift+.', 'shift+>', 'shift+o', 'shift+:'],
    run: (studio) => step(studio, 10),
  },
  {
    label: 'Ten ticks back',
    keys: 'Shift ,',
    on: ['shift+,', 'shift+<', 'shift+;'],
    run: (studio) => step(studio, -10),
  },
  { label: 'Next hit', keys: 'N', on: ['n'], run: (studio) => void goToHit(studio, 1) },
  { label: 'Previous hit', keys: 'Shift N', on: ['shift+n'], run: (studio) => void goToHit(studio, -1) },
  { label: 'To the divergence', keys: 'D', on: ['d'], run: goToDivergence },
  { label: 'Slower, faster, normal', keys: '−  =  0', on: ['-', '=', '+', 'shift++', '0', 'shift+='], run: speedKey },
  { label: 'Restart, same seed', keys: 'R', on: ['r'], run: (studio) => restart(studio, studio.show.setup.seed) },
  { label: 'Restart, new seed', keys: 'Shift R', on: ['shift+r'], run: (studio) => restart(studio, randomSeed()) },
  { label: 'Keep this tick, come back', keys: 'S  L', on: ['s', 'l'], run: keepKey },
  { label: 'Loop: from here, to here, off', keys: 'K', on: ['k'], run: markLoop },
  { label: 'Boxes', keys: 'H', on: ['h'], run: toggle('boxes') },
  { label: 'Grid', keys: 'G', on: ['g'], run: toggle('grid') },
  { label: 'Bounds', keys: 'B', on: ['b'], run: toggle('bounds') },
  { label: 'Contacts', keys: 'C', on: ['c'], run: toggle('contacts') },
  { label: 'Velocities', keys: 'V', on: ['v'], run: toggle('velocities') },
  {
    label: 'Layer on and off',
    keys: '1 … 9',
    on: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    run(studio, event) {
      const { layers } = studio
      layers.value = { ...layers.value, hiddenLayers: layers.value.hiddenLayers ^ (1 << (Number(event.key) - 1)) }
    },
  },
  { label: 'Whole field', keys: 'Home', on: ['home'], run: (studio) => setCamera(studio, 'rest') },
  { label: 'Follow', keys: 'F', on: ['f'], run: (studio) => setCamera(studio, 'follow') },
  { label: 'Previous, next game', keys: '[  ]', on: ['[', ']'], run: (studio, event) => void gameKey(studio, event) },
  { label: 'Save the replay', keys: 'E', on: ['e'], run: (studio) => void downloadReplay(studio) },
  { label: 'Copy a link to this tick', keys: 'Y', on: ['y'], run: (studio) => void copyLink(studio) },
  { label: 'Inspect: open and close the panels', keys: 'I', on: ['i'], run: toggleInspect },
  { label: 'Sound on and off', keys: 'M', on: ['m'], run: () => void (isMuted.value = !isMuted.value) },
  { label: 'Events', keys: '`', on: ['`'], run: (studio) => void (studio.tab.value = 'events') },
  {
    label: 'Keys',
    keys: '?',
    on: ['?', 'shift+?', 'shift+ß'],
    run: (studio) => void (studio.isHelpOpen.value = !studio.isHelpOpen.value),
  },
]

/** Runs the command of a key. False when there is none, so that the browser may have it. */
export function runKey(studio: Studio, event: KeyboardEvent): boolean {
  if (event.key === 'Escape') return closeWhatIsOpen(studio)
  // A focused button takes Space and Enter itself. Tab is never taken: it moves between the controls, as everywhere.
  const { target } = event
  const isOnControl =
    target instanceof HTMLElement &&
    target !== document.body &&
    target.matches('button, a, input, select, summary, [tabindex]')
  if (isOnControl && [' ', 'Enter', 'Home'].includes(event.key)) return false
  if (isOnControl && target instanceof HTMLInputElement && event.key.startsWith('Arrow')) return false
  const name = `${event.shiftKey ? 'shift+' : ''}${event.key.toLowerCase()}`
  const command = commands.find(({ on }) => on.includes(name))
  if (command === undefined) return false
  command.run(studio, event)
  return true
}

function closeWhatIsOpen(studio: Studio): boolean {
  if (studio.isHelpOpen.value) studio.isHelpOpen.value = false
  else if (studio.selected.value.length > 0) studio.selected.value = []
  else return false
  return true
}

function playKey(studio: Studio): void {
  if (studio.phase.value === 'start') beginMatch(studio)
  else if (studio.phase.value === 'on') playPause(studio)
}

function goToDivergence(studio: Studio): void {
  const tick = studio.divergence.value?.tick ?? -1
  if (tick >= 0) scrub(studio, tick)
}

function speedKey(studio: Studio, event: KeyboardEvent): void {
  if (event.key === '0') studio.show.speed.value = 1
  else changeSpeed(studio, event.key === '-' ? -1 : 1)
}

function keepKey(studio: Studio, event: KeyboardEvent): void {
  if (event.key.toLowerCase() === 's') bookmark(studio)
  else goToBookmark(studio)
}

async function gameKey(studio: Studio, event: KeyboardEvent): Promise<void> {
  const place = gameNames.indexOf(await nameOfGame(studio.module.id)) + (event.key === '[' ? -1 : 1)
  location.hash = `#game=${gameNames[(place + gameNames.length) % gameNames.length]}`
}

function setCamera(studio: Studio, mode: 'rest' | 'follow'): void {
  for (const stage of studio.stages) {
    stage.cameraControl.mode = mode
    stage.watched = mode === 'follow' ? 0 : -1
  }
}
