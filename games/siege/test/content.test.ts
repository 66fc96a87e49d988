import { expect, test } from 'vitest'
import { expectContentPage } from '../../test/content.ts'
import * as champions from '../rules/content/champions.ts'
import { CAMPS, FOUNTAINS, HALF, LAND, SIDE, STRUCTURES, WAYS } from '../rules/content/map.ts'
import { CAMP_SIZE, CREATURES, TIER_2, UNITS } from '../rules/content/units.ts'

const { CHAMPIONS, WARES } = champions

test('[SG61] CONTENT.md has the numbers of champions, abilities, units, wares and the map', () => {
  expectContentPage('siege', "Siege's content", {
    Champions: CHAMPIONS.map(({ abilities: _, ...stats }) => stats),
    'Every champion': [
      {
        radius: champions.CHAMPION_RADIUS,
        mass: champions.CHAMPION_MASS,
        sight: champions.CHAMPION_SIGHT,
        notices: champions.CHAMPION_NOTICES,
        'shot radius': champions.CHAMPION_SHOT_RADIUS,
      },
    ],
    Abilities: CHAMPIONS.flatMap(({ name: champion, abilities }) => abilities.map((each) => ({ champion, ...each }))),
    Wares: WARES,
    Units: Object.values(UNITS),
    'Sorts of creatures': CREATURES,
    'Towers in front': [TIER_2],
    Structures: STRUCTURES,
    Map: [{ 'half a side': HALF, 'half of the land': LAND, 'creatures of a camp': CAMP_SIZE }],
    Lanes: [SIDE.blue, SIDE.red].flatMap((side) => WAYS[side].map((way, lane) => ({ side, lane, way }))),
    'Fountains and camps': [...FOUNTAINS.slice(1), ...CAMPS],
  })
})

test("[SG61] red's half of the map is blue's, turned by half a turn", () => {
  const turn = ({ x, y }: { x: number; y: number }) => ({ x: 0 - x, y: 0 - y })
  for (const { side, lane, tier, x, y } of STRUCTURES) {
    const wanted = { side: 3 - side, tier, ...turn({ x, y }), ...(lane !== undefined && { lane: 2 - lane }) }
    expect(STRUCTURES).toContainEqual(wanted)
  }
  expect(FOUNTAINS[SIDE.red]).toEqual(turn(FOUNTAINS[SIDE.blue]))
  expect(CAMPS.map(turn).reverse()).toEqual(CAMPS)
  for (let lane = 0; lane < 3; lane++) {
    expect(WAYS[SIDE.red][lane], `lane ${lane}`).toEqual(WAYS[SIDE.blue][2 - lane].map(turn))
    expect(WAYS[SIDE.red][lane]).toEqual([...WAYS[SIDE.blue][lane]].reverse())
  }
})
