/** Everything the pages can ask for, made from the saved results. */

import { readFileSync } from 'node:fs'
import { contenders } from '../../bench/registry.ts'
import { bench } from './bench.ts'
import { compare } from './compare.ts'
import { engines } from './engines.ts'
import { games } from './games.ts'
import { linksReal } from './links-real.ts'
import { load } from './load.ts'
import { netcode, netcodeMillion } from './netcode.ts'
import { nights, ratioOf, storm } from './nightfall.ts'
import type { Rendered } from './pages.ts'
import { loadSaved, root } from './saved.ts'
import { setup, tests } from './start.ts'
import {
  benchTable,
  controlTable,
  enginesTable,
  linksTable,
  loadBlock,
  nightsTable,
  realLinksTable,
  runtimesTable,
  type SizeLimit,
  sizesTable,
  trafficTable,
} from './tables.ts'

export function renderAll(): Rendered {
  const matrix = loadSaved(engines)
  const { links, traffic } = loadSaved(netcode).result
  // Limits, not sizes: these are what a test holds, and they do not move with every line of code.
  const sizes = JSON.parse(readFileSync(`${root}.size-limit.json`, 'utf8')) as SizeLimit[]
  return {
    blocks: {
      bench: benchTable(loadSaved(bench)),
      engines: enginesTable(matrix.result),
      runtimes: runtimesTable(matrix.result),
      control: controlTable(matrix.result),
      links: linksTable([...links, ...loadSaved(netcodeMillion).result]),
      'links-real': realLinksTable(loadSaved(linksReal).result),
      traffic: trafficTable(traffic),
      load: loadBlock(loadSaved(load)),
      sizes: sizesTable(sizes),
      nights: nightsTable(loadSaved(nights).result),
    },
    values: {
      ...startValues(),
      ...gameValues(),
      ...engineValues(),
      ...speedValues(),
      ...nightfallValues(),
      'first-hit': sizes[0].limit.replace(' kB', ''),
    },
  }
}

function startValues(): Record<string, string> {
  const { start, test } = loadSaved(setup).result
  return {
    'start.fetched': String(start.fetchedMB),
    'start.disk': String(start.diskMB),
    'start.seconds': String(start.seconds),
    'test.fetched': String(test.fetchedMB),
    'test.disk': String(test.diskMB),
    'test.seconds': String(test.seconds),
    'tests.minutes': String(loadSaved(tests).result.minutes),
  }
}

/** The hash each game ends in, and how often the engines of seed 003 count. */
function gameValues(): Record<string, string> {
  const counts = Object.values(loadSaved(compare).result)
  const sum = (engine: 'new' | 'legacy') => String(counts.reduce((total, each) => total + each[engine], 0))
  return {
    ...Object.fromEntries(Object.entries(loadSaved(games).result).map(([game, { hash }]) => [game, hash])),
    'compare.new': sum('new'),
    'compare.legacy': sum('legacy'),
  }
}

function engineValues(): Record<string, string> {
  const { date, result } = loadSaved(engines)
  const distinct = (key: 'engine' | 'cpu') => String(new Set(result.runtimes.map((runtime) => runtime[key])).size)
  return {
    scenes: String(Object.keys(result.scenes).length),
    runtimes: String(result.runtimes.length),
    families: distinct('engine'),
    cpus: distinct('cpu'),
    'engines.minutes': String(Math.ceil(result.seconds / 60)),
    'engines.date': date,
  }
}

function speedValues(): Record<string, string> {
  const { mirror } = loadSaved(load).result
  return {
    // Without ourselves.
    peers: String(contenders.length - 1),
    'peers.quick': String(contenders.filter(({ isSlow }) => !isSlow).length - 1),
    'bench.seconds': String(loadSaved(bench).result.seconds),
    'mirror.down': (mirror.down / 1000).toFixed(1),
    'mirror.up': (mirror.up / 1000).toFixed(1),
  }
}

function nightfallValues(): Record<string, string> {
  const survived = Object.values(loadSaved(nights).result)
  const { result } = loadSaved(storm)
  const isLong = (night: string) => night === 'dawn' || Number(night.split(':')[0]) >= 10
  return {
    nights: String(survived.length),
    'nights.long': String(survived.filter(isLong).length),
    'nights.won': String(survived.filter((night) => night === 'dawn').length),
    'storm.detection': result.detection.toFixed(1),
    'storm.tick': result.tick.toFixed(1),
    'storm.ratio': ratioOf(result).toFixed(1),
  }
}
