/** Questions asked of 10,000 circles. The circles move and the index is brought up to date between turns, outside the timing. */

import { type Contender, createMatches, createRayHits, type Matches, type QueryIndex } from '../contender.ts'
import { arcGapPx, arcVictims } from '../oracles/arcs.ts'
import { addCouple, addUp, compare, createCouples, type Exactness } from '../oracles/compare.ts'
import { firstOnRay, rayGapPx, regionGapPx, regionMembers, swingGapPx, swingVictims } from '../oracles/queries.ts'
import { type Circles, moveBouncing, spreadScene } from '../scenes/circles.ts'
import { randomRays, randomRegions, randomSwings } from '../scenes/queries.ts'
import type { Task, Workload } from './workload.ts'

const THINGS = 10_000
/** Every 20th question is checked: 500 of 10,000. */
const CHECK_EVERY = 20

export const regions: Workload = {
  name: 'regions',
  title: 'N regions of radius 50 over 10,000 circles, all members of each',
  sizes: [10_000],
  quickSizes: [10_000],
  prepare: (contender, n) =>
    prepareQuery(contender, 'regions', (index, circles) => {
      const asked = randomRegions(n, circles.width)
      const out = createMatches(n)
      return {
        ask: () => index.regions?.(asked, out),
        check: () => {
          const expected = regionMembers(circles, asked, CHECK_EVERY)
          return compare(expected, readMatches(out, n, CHECK_EVERY, circles.count), (region, thing) =>
            regionGapPx(circles, asked, region, thing),
          )
        },
      }
    }),
}

export const rays: Workload = {
  name: 'rays',
  title: 'N rays of 200 px over 10,000 circles, the first circle on each',
  sizes: [10_000],
  quickSizes: [10_000],
  prepare: (contender, n) =>
    prepareQuery(contender, 'rays', (index, circles) => {
      const asked = randomRays(n, circles.width)
      const out = createRayHits(n)
      return {
        ask: () => index.rays?.(asked, out),
        check: () => {
          const expected = createCouples(circles.count)
          const actual = createCouples(circles.count)
          for (let ray = 0; ray < n; ray += CHECK_EVERY) {
            const first = firstOnRay(circles, asked, ray)
            // A ray that starts inside a circle means "hit at 0" to some and "no hit" to others: not a matter of exactness.
            if (first.distance === 0) continue
            if (first.thing !== -1) addCouple(expected, ray, first.thing)
            if (out.thing[ray] !== -1) addCouple(actual, ray, out.thing[ray])
          }
          return compare(expected, actual, (ray) => rayGapPx(circles, asked, ray, out.thing[ray]))
        },
      }
    }),
}

export const swings: Workload = {
  name: 'swings',
  title: 'N attack boxes swept up to 40 px over 10,000 hurtboxes, all that are touched on the way',
  sizes: [1000],
  quickSizes: [],
  prepare: (contender, n) =>
    prepareQuery(contender, 'swings', (index, circles) => {
      const asked = randomSwings(n, circles.width)
      const out = createMatches(n)
      return {
        ask: () => index.swings?.(asked, out),
        check: () =>
          compare(swingVictims(circles, asked), readMatches(out, n, 1, circles.count), (swing, thing) =>
            swingGapPx(circles, asked, swing, thing),
          ),
      }
    }),
}

export const arcs: Workload = {
  name: 'arcs',
  title: 'N bands of arcs swept up to 40 px over 10,000 hurtboxes, all that are touched on the way',
  sizes: [1000],
  quickSizes: [1000],
  prepare: (contender, n) =>
    prepareQuery(contender, 'arcs', (index, circles) => {
      const asked = randomSwings(n, circles.width)
      const out = createMatches(n)
      return {
        ask: () => index.arcs?.(asked, out),
        check: () =>
          compare(arcVictims(circles, asked), readMatches(out, n, 1, circles.count), (swing, thing) =>
            arcGapPx(circles, asked, swing, thing),
          ),
      }
    }),
}

type Question = { readonly ask: () => void; readonly check: () => Exactness }

function prepareQuery(
  contender: Contender,
  kind: 'regions' | 'rays' | 'swings' | 'arcs',
  pose: (index: QueryIndex, circles: Circles) => Question,
): Task | undefined {
  const { circles } = spreadScene(THINGS)
  const index = contender.queries?.(circles)
  if (!index?.[kind]) return undefined
  const question = pose(index, circles)
  const moveOn = () => {
    moveBouncing(circles)
    index.update()
  }
  return {
    check: () => {
      const checks: Exactness[] = []
      for (let i = 0; i < 2; i++) {
        moveOn()
        question.ask()
        checks.push(question.check())
      }
      return addUp(checks)
    },
    beforeTurn: moveOn,
    step: question.ask,
  }
}

function readMatches(matches: Matches, questions: number, step: number, things: number) {
  const found = createCouples(things)
  for (let question = 0; question < questions; question += step) {
    for (let i = matches.start[question]; i < matches.start[question + 1]; i++) {
      addCouple(found, question, matches.things[i])
    }
  }
  return found
}
