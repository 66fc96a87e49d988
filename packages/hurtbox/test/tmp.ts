import { collide, createWorld, declareGame, defineGame, defineStatics, spawn, step, addCircle, addShape, sweepBox, turnBox } from 'hurtbox'
import { bounce, contact, travel } from 'hurtbox/contacts'
import { arcBand } from 'hurtbox/shapes'
{
const arena = declareGame({ id: 'arena', tickRate: 60, layers: { ball: ['wall'], wall: [] } })
const statics = defineStatics(arena, [
  { layer: 'wall', minX: -20, minY: -50, maxX: -10, maxY: 50 },
  { layer: 'wall', minX: 110, minY: -50, maxX: 120, maxY: 50 },
])
const fly = collide(
  arena,
  { 'ball meets wall': { between: ['ball', 'wall'], decide: (ball, _wall, hit) => { const c = contact(hit); console.log(ball.x, c.time, c.normalX, c.x, c.depth); bounce(ball, c) } } },
  { statics, travel: travel(['ball'], { perTick: true }) },
)
const world = createWorld(defineGame(arena, { phases: { fly } }))
const ball = spawn(world, 'ball', { x: 50, radius: 10, vx: 330 })
step(world)
console.log(ball.x, ball.vx)
}
{
const arena = declareGame({ id: 'arena', tickRate: 60, layers: { ball: ['shield'], shield: [], player: [] }, things: { facingX: 'f64', facingY: 'f64', fromX: 'f64', fromY: 'f64' } })
const shield = arcBand(40, 46, 2)
const fly = collide(
  arena,
  { 'ball meets shield': { between: ['ball', 'shield'], decide: (ball, _wall, hit) => { const c = contact(hit); console.log(ball.x, ball.y, c); bounce(ball, c); console.log(ball.vx, ball.vy) } } },
  { travel: travel(['ball'], { perTick: true }), pose: { player: (p, boxes) => { addShape(boxes, shield, p, 'shield'); turnBox(boxes, p.fromX, p.fromY) } } },
)
const world = createWorld(defineGame(arena, { phases: { fly } }))
const ball = spawn(world, 'ball', { x: 0, y: 20, radius: 5, vx: 330 })
const player = spawn(world, 'player', { x: 0, radius: 5, facingX: 1, fromX: 0, fromY: 1 })
step(world)
console.log(ball.x, ball.y, ball.vx)
}
