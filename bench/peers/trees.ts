/**
 * kdbush, flatbush, rbush: spatial indexes. They find candidates; exact tests, layers and hits are written here, as
 * their users write them.
 *
 * All three are rebuilt every step: kdbush and flatbush are static, and rbush is several times faster at bulk loading than at moving
 * every entry. kdbush holds points, so it has to search with the largest radius added; for pairs each thing looks only for partners no
 * larger than itself, which needs twice its own radius and helps most where sizes differ. Rays are searched in pieces.
 */

import Flatbush from 'flatbush'
import KDBush from 'kdbush'
import RBush from 'rbush'
import { addMatch, type Contender, type PairFinder, type QueryIndex } from '../contender.ts'
import { ARC, arcDistance } from '../oracles/arcs.ts'
import { enterCircle, polygonNear, RAY_PIECE_PX, sweptHull } from '../oracles/exact.ts'
import type { Circles } from '../scenes/circles.ts'
import { addPair, createPairList } from '../scenes/pair-list.ts'
import { hitsByAsking } from './hits.ts'

/** Candidates of a search: `found[0 .. returned - 1]`. */
type Index = {
  readonly found: ArrayLike<number>
  rebuild(): void
  /** Things of which some part may be in the box. */
  inBox(minX: number, minY: number, maxX: number, maxY: number): number
  /** Things of which some part may be within `radius`. */
  near(x: number, y: number, radius: number): number
  /** Things not larger than `thing` that it may overlap; maybe others too. */
  partners(thing: number): number
}

type IndexOf = (circles: Circles, first: number, count: number) => Index

export const kdbush: Contender = contenderFrom(kdbushIndex)
export const flatbush: Contender = withNearest(contenderFrom(flatbushIndex))
export const rbush: Contender = contenderFrom(rbushIndex)

/** Its `neighbors` measure to boxes, so that centres are entered as points, in an index of their own. */
function withNearest(contender: Contender): Contender {
  return {
    ...contender,
    queries(circles) {
      const index = contender.queries!(circles)
      let points: Flatbush
      return {
        ...index,
        update() {
          index.update()
          points = new Flatbush(circles.count)
          for (let i = 0; i < circles.count; i++) points.add(circles.x[i], circles.y[i], circles.x[i], circles.y[i])
          points.finish()
        },
        nearest(places, limit, out) {
          let place = 0
          for (let at = 0; at < places.count; at++) {
            out.start[at] = place
            for (const thing of points.neighbors(places.x[at], places.y[at], limit)) place = addMatch(out, place, thing)
          }
          out.start[places.count] = place
        },
      }
    },
  }
}

function contenderFrom(indexOf: IndexOf): Contender {
  return {
    pairs: (circles) => findPairs(circles, indexOf(circles, 0, circles.count)),
    bullets: (scene) => {
      const { circles, enemies, owner } = scene
      const { x, y, radius } = circles
      const index = indexOf(circles, 0, enemies)
      return hitsByAsking(scene, index.rebuild, (bullet) => {
        const candidates = index.near(x[bullet], y[bullet], radius[bullet])
        let victim = -1
        for (let i = 0; i < candidates; i++) {
          const enemy = index.found[i]
          if (enemy === owner[bullet] || (victim !== -1 && enemy > victim)) continue
          const dx = x[bullet] - x[enemy]
          const dy = y[bullet] - y[enemy]
          const reach = radius[bullet] + radius[enemy]
          if (dx * dx + dy * dy <= reach * reach) victim = enemy
        }
        return victim
      })
    },
    queries: (circles) => queryIndex(circles, indexOf(circles, 0, circles.count)),
  }
}

function findPairs(circles: Circles, index: Index): PairFinder {
  const { count, x, y, radius, layer, meets } = circles
  const pairs = createPairList(count)
  return {
    find() {
      index.rebuild()
      pairs.count = 0
      for (let a = 0; a < count; a++) {
        const candidates = index.partners(a)
        for (let i = 0; i < candidates; i++) {
          const b = index.found[i]
          // Each pair is reported by its larger thing; of equal ones, by the one with the higher id.
          if (radius[b] > radius[a] || (radius[b] === radius[a] && b >= a)) continue
          const dx = x[a] - x[b]
          const dy = y[a] - y[b]
          const reach = radius[a] + radius[b]
          if (dx * dx + dy * dy <= reach * reach && (meets[layer[a]] & (1 << layer[b])) !== 0) addPair(pairs, a, b)
        }
      }
      return pairs
    },
  }
}

function queryIndex(circles: Circles, index: Index): QueryIndex {
  const { x, y, radius } = circles
  const hullX = new Float64Array(8)
  const hullY = new Float64Array(8)
  return {
    update: () => index.rebuild(),
    regions(regions, out) {
      let place = 0
      for (let region = 0; region < regions.count; region++) {
        out.start[region] = place
        const candidates = index.near(regions.x[region], regions.y[region], regions.radius[region])
        for (let i = 0; i < candidates; i++) {
          const thing = index.found[i]
          const dx = x[thing] - regions.x[region]
          const dy = y[thing] - regions.y[region]
          const reach = radius[thing] + regions.radius[region]
          if (dx * dx + dy * dy <= reach * reach) place = addMatch(out, place, thing)
        }
      }
      out.start[regions.count] = place
    },
    rays(rays, out) {
      for (let ray = 0; ray < rays.count; ray++) {
        let first = -1
        let nearest = rays.length
        // Once a hit lies within the pieces searched so far, nothing further on can come before it.
        for (let from = 0; from < nearest; from += RAY_PIECE_PX) {
          const to = Math.min(from + RAY_PIECE_PX, rays.length)
          const fromX = rays.x[ray] + rays.dx[ray] * from
          const fromY = rays.y[ray] + rays.dy[ray] * from
          const toX = rays.x[ray] + rays.dx[ray] * to
          const toY = rays.y[ray] + rays.dy[ray] * to
          const candidates = index.inBox(
            Math.min(fromX, toX),
            Math.min(fromY, toY),
            Math.max(fromX, toX),
            Math.max(fromY, toY),
          )
          for (let i = 0; i < candidates; i++) {
            const distance = enterCircle(circles, index.found[i], rays, ray)
            if (distance >= nearest) continue
            nearest = distance
            first = index.found[i]
          }
        }
        out.thing[ray] = first
        out.distance[ray] = nearest
      }
    },
    swings(swings, out) {
      let place = 0
      for (let swing = 0; swing < swings.count; swing++) {
        out.start[swing] = place
        const corners = sweptHull(swings, swing, hullX, hullY)
        let minX = hullX[0]
        let maxX = hullX[0]
        let minY = hullY[0]
        let maxY = hullY[0]
        for (let i = 1; i < corners; i++) {
          minX = Math.min(minX, hullX[i])
          maxX = Math.max(maxX, hullX[i])
          minY = Math.min(minY, hullY[i])
          maxY = Math.max(maxY, hullY[i])
        }
        const candidates = index.inBox(minX, minY, maxX, maxY)
        for (let i = 0; i < candidates; i++) {
          const thing = index.found[i]
          if (polygonNear(hullX, hullY, corners, x[thing], y[thing], radius[thing])) place = addMatch(out, place, thing)
        }
      }
      out.start[swings.count] = place
    },
    arcs(swings, out) {
      let place = 0
      for (let swing = 0; swing < swings.count; swing++) {
        out.start[swing] = place
        const [fromX, fromY] = [swings.x[swing], swings.y[swing]]
        const [toX, toY] = [fromX + swings.moveX[swing], fromY + swings.moveY[swing]]
        const candidates = index.inBox(
          Math.min(fromX, toX) - ARC.outer,
          Math.min(fromY, toY) - ARC.outer,
          Math.max(fromX, toX) + ARC.outer,
          Math.max(fromY, toY) + ARC.outer,
        )
        for (let i = 0; i < candidates; i++) {
          const thing = index.found[i]
          if (arcDistance(circles, swings, swing, thing) <= radius[thing]) place = addMatch(out, place, thing)
        }
      }
      out.start[swings.count] = place
    },
  }
}

function kdbushIndex({ x, y, radius }: Circles, first: number, count: number): Index {
  let index: KDBush
  let largest = 0
  for (let thing = first; thing < first + count; thing++) largest = Math.max(largest, radius[thing])
  // kdbush writes circular searches into an array of ours; searches by box make a new one each time.
  const own = new Int32Array(count)
  let found: ArrayLike<number> = own
  const near = (atX: number, atY: number, range: number) => {
    found = own
    return index.withinInto(atX, atY, range + largest, own)
  }
  return {
    get found() {
      return found
    },
    rebuild() {
      index = new KDBush(count)
      for (let thing = first; thing < first + count; thing++) index.add(x[thing], y[thing])
      index.finish()
    },
    inBox(minX, minY, maxX, maxY) {
      found = index.range(minX - largest, minY - largest, maxX + largest, maxY + largest)
      return found.length
    },
    near,
    partners: (thing) => near(x[thing], y[thing], 2 * radius[thing] - largest),
  }
}

function flatbushIndex({ x, y, radius }: Circles, first: number, count: number): Index {
  let index: Flatbush
  let found: number[] = []
  const inBox = (minX: number, minY: number, maxX: number, maxY: number) => {
    found = index.search(minX, minY, maxX, maxY)
    return found.length
  }
  return {
    get found() {
      return found
    },
    rebuild() {
      index = new Flatbush(count)
      for (let thing = first; thing < first + count; thing++) {
        const r = radius[thing]
        index.add(x[thing] - r, y[thing] - r, x[thing] + r, y[thing] + r)
      }
      index.finish()
    },
    inBox,
    near: (atX, atY, range) => inBox(atX - range, atY - range, atX + range, atY + range),
    partners: (thing) =>
      inBox(x[thing] - radius[thing], y[thing] - radius[thing], x[thing] + radius[thing], y[thing] + radius[thing]),
  }
}

type Entry = { minX: number; minY: number; maxX: number; maxY: number; readonly thing: number }

function rbushIndex({ x, y, radius }: Circles, first: number, count: number): Index {
  const tree = new RBush<Entry>()
  const entries = Array.from({ length: count }, (_, i) => ({ minX: 0, minY: 0, maxX: 0, maxY: 0, thing: first + i }))
  const found = new Int32Array(count)
  const inBox = (minX: number, minY: number, maxX: number, maxY: number) => {
    const hits = tree.search({ minX, minY, maxX, maxY })
    for (let i = 0; i < hits.length; i++) found[i] = hits[i].thing
    return hits.length
  }
  return {
    found,
    rebuild() {
      for (const entry of entries) {
        const r = radius[entry.thing]
        entry.minX = x[entry.thing] - r
        entry.minY = y[entry.thing] - r
        entry.maxX = x[entry.thing] + r
        entry.maxY = y[entry.thing] + r
      }
      tree.clear()
      tree.load(entries)
    },
    inBox,
    near: (atX, atY, range) => inBox(atX - range, atY - range, atX + range, atY + range),
    partners: (thing) =>
      inBox(x[thing] - radius[thing], y[thing] - radius[thing], x[thing] + radius[thing], y[thing] + radius[thing]),
  }
}
