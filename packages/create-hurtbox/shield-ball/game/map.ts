/** The court as data: walls, pillars and goals. */

export const WIDTH = 1200
export const HEIGHT = 700
const [TOP, BOTTOM, DEPTH, THICK] = [240, 460, 60, 200]
const [LEFT, RIGHT] = [-DEPTH, WIDTH]

const piece = <L extends string>(layer: L, minX: number, minY: number, maxX: number, maxY: number) =>
  ({ layer, minX, minY, maxX, maxY }) as const

export const court = [
  piece('wall', LEFT - THICK, -THICK, RIGHT + DEPTH + THICK, 0),
  piece('wall', LEFT - THICK, HEIGHT, RIGHT + DEPTH + THICK, HEIGHT + THICK),
  // Either end: a wall above and below the mouth of the goal, and one behind it.
  ...[LEFT, RIGHT].flatMap((x) => [piece('wall', x, 0, x + DEPTH, TOP), piece('wall', x, BOTTOM, x + DEPTH, HEIGHT)]),
  piece('wall', LEFT - THICK, 0, LEFT, HEIGHT),
  piece('wall', RIGHT + DEPTH, 0, RIGHT + DEPTH + THICK, HEIGHT),
  piece('goal', LEFT, TOP, LEFT + DEPTH / 2, BOTTOM),
  piece('goal', RIGHT + DEPTH / 2, TOP, RIGHT + DEPTH, BOTTOM),
  ...[420, 780].flatMap((x) => [180, 520].map((y) => ({ layer: 'wall', x, y, radius: 34 }) as const)),
]
