/**
 * rapier: rigid-body engine in Rust, compiled to WebAssembly; three builds for the plane and one for space, driven by the same code (the
 * plane ignores the third coordinate).
 *
 * Favourable use. Pairs: kinematic sensors that rapier moves itself, with begin and end events, so that JavaScript sees changes only.
 * rapier detects before it integrates, so its world runs one step ahead of the scene and its events are then about now. Bullets:
 * only enemies are bodies and each bullet is a query, ten times faster than sensor events. Queries see the integrated places.
 */

import type * as Rapier2D from '@dimforge/rapier2d-compat'
import {
  addMatch,
  type Contender,
  type Crowd,
  type HitFinder,
  type PairHistory,
  type QueryIndex,
  type WallMap,
} from '../contender.ts'
import { sweptHull } from '../oracles/exact.ts'
import type { BulletScene } from '../scenes/bullets.ts'
import type { Circles } from '../scenes/circles.ts'
import type { CrowdScene } from '../scenes/crowd.ts'
import { beginPair, copyLivePairs, createLivePairs, endPair, type LivePairs } from '../scenes/pair-list.ts'
import { jumpsNow, RUNNER, TILE, type TowerScene } from '../scenes/tower.ts'
import type { Walls } from '../scenes/walls.ts'
import { hitsByAsking } from './hits.ts'
import { steeredCrowd } from './steered-crowd.ts'

/** All builds share an API; those for space take a z as well, which those for the plane ignore. */
type Rapier = typeof Rapier2D
type World = Rapier2D.World

const TICKS_PER_SECOND = 60
const NO_COLLISIONS = 0 as Rapier2D.ActiveCollisionTypes

export async function rapier2d(): Promise<Contender> {
  return inThePlane(await start(import('@dimforge/rapier2d-compat')))
}

export async function rapier2dSimd(): Promise<Contender> {
  return inThePlane(await start(import('@dimforge/rapier2d-simd-compat')))
}

export async function rapier2dDeterministic(): Promise<Contender> {
  return inThePlane(await start(import('@dimforge/rapier2d-deterministic-compat')))
}

export async function rapier3d(): Promise<Contender> {
  const upright = { x: 0, y: 0, z: 0, w: 1 } as unknown as Rapier2D.Rotation
  return contenderFrom(await start(import('@dimforge/rapier3d-compat')), upright)
}

function inThePlane(rapier: Rapier): Contender {
  return {
    ...contenderFrom(rapier, 0, rapier.ConvexPolygon),
    walls: (walls) => staticWalls(rapier, walls),
    runners: (scene) => runInTower(rapier, scene),
  }
}

/** A collider per wall, without a body: fixed. */
function staticWalls(rapier: Rapier, { count, minX, minY, maxX, maxY }: Walls): WallMap {
  const world = createWorld(rapier)
  const wallOf = new Map<number, number>()
  for (let i = 0; i < count; i++) {
    const shape = rapier.ColliderDesc.cuboid((maxX[i] - minX[i]) / 2, (maxY[i] - minY[i]) / 2)
    shape.setTranslation((minX[i] + maxX[i]) / 2, (minY[i] + maxY[i]) / 2)
    wallOf.set(world.createCollider(shape).handle, i)
  }
  world.step()
  const at = { x: 0, y: 0 }
  const along = { x: 0, y: 0 }
  const cast = new rapier.Ray(at, along)
  return {
    rays(rays, out) {
      for (let ray = 0; ray < rays.count; ray++) {
        at.x = rays.x[ray]
        at.y = rays.y[ray]
        along.x = rays.dx[ray]
        along.y = rays.dy[ray]
        const hit = world.castRay(cast, rays.length, true)
        out.thing[ray] = hit ? (wallOf.get(hit.collider.handle) as number) : -1
        out.distance[ray] = hit ? hit.timeOfImpact : rays.length
      }
    },
  }
}

/**
 * Its own controller of kinematic characters, with what its documentation advises for a platform game: a gap of a hundredth of a
 * body, snapping to the ground, slopes of up to 45°. Runners are colliders without bodies that ignore each other by their groups, so that
 * no step of the world is needed: the map never moves.
 */
function runInTower(rapier: Rapier, { walls, slopes, count, x, y, way }: TowerScene): Crowd {
  const { halfWidth, halfHeight, speed, jump, gravity, ticksPerSecond } = RUNNER
  const world = createWorld(rapier)
  const ofMap = 0x0001ffff
  const ofRunners = 0x00020001
  for (let i = 0; i < walls.count; i++) {
    const shape = rapier.ColliderDesc.cuboid((walls.maxX[i] - walls.minX[i]) / 2, (walls.maxY[i] - walls.minY[i]) / 2)
    shape.setTranslation((walls.minX[i] + walls.maxX[i]) / 2, (walls.minY[i] + walls.maxY[i]) / 2)
    world.createCollider(shape.setCollisionGroups(ofMap))
  }
  for (const { x, y } of slopes) {
    const corner = (dx: number, dy: number) => new rapier.Vector2(x + dx, y + dy)
    const shape = rapier.ColliderDesc.triangle(corner(0, 0), corner(TILE, 0), corner(TILE, -TILE))
    world.createCollider(shape.setCollisionGroups(ofMap))
  }
  const colliders = Array.from({ length: count }, (_, runner) =>
    world.createCollider(
      rapier.ColliderDesc.cuboid(halfWidth, halfHeight)
        .setTranslation(x[runner], y[runner])
        .setCollisionGroups(ofRunners),
    ),
  )
  world.step()
  const controller = world.createCharacterController(0.1)
  controller.setUp({ x: 0, y: -1 })
  controller.enableSnapToGround(2)
  controller.setMaxSlopeClimbAngle(Math.PI / 4 + 0.01)
  controller.setMinSlopeSlideAngle(Math.PI / 4 + 0.01)
  const vx = Float64Array.from(way, (side) => side * speed)
  const vy = new Float64Array(count)
  const grounded = new Uint8Array(count)
  const seconds = 1 / ticksPerSecond
  const wanted = { x: 0, y: 0 }
  let tick = 0
  return {
    tick() {
      for (let runner = 0; runner < count; runner++) {
        if (grounded[runner] !== 0 && jumpsNow(tick, runner)) vy[runner] = -jump
        wanted.x = vx[runner] * seconds
        wanted.y = (vy[runner] + (gravity * seconds) / 2) * seconds
        vy[runner] += gravity * seconds
        const collider = colliders[runner]
        controller.computeColliderMovement(collider, wanted, undefined, ofRunners)
        const moved = controller.computedMovement()
        grounded[runner] = controller.computedGrounded() ? 1 : 0
        if (Math.abs(moved.x) < Math.abs(wanted.x) / 4) vx[runner] = -vx[runner]
        if (Math.abs(moved.y) < Math.abs(wanted.y) / 4 || grounded[runner] !== 0) vy[runner] = Math.min(vy[runner], 0)
        if (wanted.y < 0 && moved.y > wanted.y / 4) vy[runner] = Math.max(vy[runner], 0)
        const at = collider.translation()
        at.x += moved.x
        at.y += moved.y
        collider.setTranslation(at)
      }
      tick++
    },
    read(outX, outY) {
      for (let runner = 0; runner < count; runner++) {
        const at = colliders[runner].translation()
        outX[runner] = at.x
        outY[runner] = at.y
      }
    },
  }
}

function contenderFrom(
  rapier: Rapier,
  noTurn: Rapier2D.Rotation,
  ConvexPolygon?: typeof Rapier2D.ConvexPolygon,
): Contender {
  return {
    pairs: (circles) => findPairs(rapier, circles),
    history: (circles) => findPairs(rapier, circles),
    bullets: (scene) => findHits(rapier, scene, noTurn),
    crowd: (scene) => holdApart(rapier, scene),
    queries: (circles) => queryIndex(rapier, circles, noTurn, ConvexPolygon),
  }
}

function findPairs(rapier: Rapier, circles: Circles): PairHistory {
  const { count, x, y, vx, vy, radius, layer, meets, turned, placed } = circles
  let world = createWorld(rapier)
  const thingOf = new Map<number, number>()
  const bodies = new Float64Array(count)
  for (let thing = 0; thing < count; thing++) {
    const body = createBody(rapier, world, circles, thing)
    const collider = rapier.ColliderDesc.ball(radius[thing])
      .setSensor(true)
      .setActiveEvents(rapier.ActiveEvents.COLLISION_EVENTS)
      .setActiveCollisionTypes(rapier.ActiveCollisionTypes.ALL)
      // Upper half: what it is; lower half: what it meets.
      .setCollisionGroups(((1 << (16 + layer[thing])) | meets[layer[thing]]) >>> 0)
    thingOf.set(world.createCollider(collider, body).handle, thing)
    bodies[thing] = body.handle
  }
  const events = new rapier.EventQueue(true)
  let live = createLivePairs(count)
  const onEvent = (handleA: number, handleB: number, begins: boolean) => {
    const a = thingOf.get(handleA) as number
    const b = thingOf.get(handleB) as number
    if (begins) beginPair(live, a, b)
    else endPair(live, a, b)
  }
  const velocity = { x: 0, y: 0, z: 0 }
  const step = () => {
    world.step(events)
    events.drainCollisionEvents(onEvent)
  }
  step()
  return {
    circles,
    find() {
      for (let i = 0; i < placed.count; i++) {
        const thing = placed.things[i]
        world.getRigidBody(bodies[thing]).setTranslation({ x: x[thing], y: y[thing], z: 0 } as Rapier2D.Vector2, true)
        setVelocity(thing)
      }
      for (let i = 0; i < turned.count; i++) setVelocity(turned.things[i])
      step()
      return live.list
    },
    save: () => ({ world: world.takeSnapshot(), live: copyLivePairs(live) }),
    restore(saved) {
      const { world: bytes, live: pairs } = saved as { world: Uint8Array; live: LivePairs }
      world.free()
      world = rapier.World.restoreSnapshot(bytes)
      live = copyLivePairs(pairs)
    },
    savedBytes: (saved) => (saved as { world: Uint8Array }).world.byteLength,
  }

  function setVelocity(thing: number): void {
    velocity.x = vx[thing]
    velocity.y = vy[thing]
    world.getRigidBody(bodies[thing]).setLinvel(velocity, true)
  }
}

function findHits(rapier: Rapier, scene: BulletScene, noTurn: Rapier2D.Rotation): HitFinder {
  const { circles, enemies, owner } = scene
  const targets = movingTargets(rapier, circles, enemies)
  const { x, y, radius } = circles
  const ball = new rapier.Ball(radius[enemies])
  const at = { x: 0, y: 0, z: 0 }
  let bullet = 0
  let victim = -1
  const onOverlap = (collider: Rapier2D.Collider) => {
    const enemy = targets.thingOf.get(collider.handle) as number
    if (enemy !== owner[bullet] && (victim === -1 || enemy < victim)) victim = enemy
    return true
  }
  return hitsByAsking(scene, targets.move, (asked) => {
    bullet = asked
    victim = -1
    at.x = x[bullet]
    at.y = y[bullet]
    targets.world.intersectionsWithShape(at, noTurn, ball, onOverlap)
    return victim
  })
}

function queryIndex(
  rapier: Rapier,
  circles: Circles,
  noTurn: Rapier2D.Rotation,
  ConvexPolygon: typeof Rapier2D.ConvexPolygon | undefined,
): QueryIndex {
  const targets = movingTargets(rapier, circles, circles.count)
  const at = { x: 0, y: 0, z: 0 }
  const along = { x: 0, y: 0, z: 0 }
  const found: number[] = []
  const onOverlap = (collider: Rapier2D.Collider) => {
    found.push(targets.thingOf.get(collider.handle) as number)
    return true
  }
  const index: QueryIndex = {
    update: targets.move,
    regions(regions, out) {
      const ball = new rapier.Ball(regions.radius[0])
      let place = 0
      for (let region = 0; region < regions.count; region++) {
        out.start[region] = place
        at.x = regions.x[region]
        at.y = regions.y[region]
        found.length = 0
        targets.world.intersectionsWithShape(at, noTurn, ball, onOverlap)
        for (const thing of found) place = addMatch(out, place, thing)
      }
      out.start[regions.count] = place
    },
    rays(rays, out) {
      const cast = new rapier.Ray(at, along)
      for (let ray = 0; ray < rays.count; ray++) {
        at.x = rays.x[ray]
        at.y = rays.y[ray]
        along.x = rays.dx[ray]
        along.y = rays.dy[ray]
        const hit = targets.world.castRay(cast, rays.length, true)
        out.thing[ray] = hit ? (targets.thingOf.get(hit.collider.handle) as number) : -1
        out.distance[ray] = hit ? hit.timeOfImpact : rays.length
      }
    },
  }
  if (!ConvexPolygon) return index
  const hullX = new Float64Array(8)
  const hullY = new Float64Array(8)
  const origin = { x: 0, y: 0 }
  // A shape cast names the first hit only; the polygon that a swing covers finds all of them.
  index.swings = (swings, out) => {
    let place = 0
    for (let swing = 0; swing < swings.count; swing++) {
      out.start[swing] = place
      const corners = sweptHull(swings, swing, hullX, hullY)
      const points = new Float32Array(corners * 2)
      for (let i = 0; i < corners; i++) {
        points[2 * i] = hullX[i] - swings.x[swing]
        points[2 * i + 1] = hullY[i] - swings.y[swing]
      }
      origin.x = swings.x[swing]
      origin.y = swings.y[swing]
      found.length = 0
      targets.world.intersectionsWithShape(origin, 0, new ConvexPolygon(points, true), onOverlap)
      for (const thing of found) place = addMatch(out, place, thing)
    }
    out.start[swings.count] = place
  }
  return index
}

/** Bodies that are only asked about: they never test each other. */
function movingTargets(rapier: Rapier, circles: Circles, count: number) {
  const world = createWorld(rapier)
  const thingOf = new Map<number, number>()
  const bodies = Array.from({ length: count }, (_, thing) => {
    const body = createBody(rapier, world, circles, thing)
    const collider = rapier.ColliderDesc.ball(circles.radius[thing])
      .setSensor(true)
      .setActiveCollisionTypes(NO_COLLISIONS)
    thingOf.set(world.createCollider(collider, body).handle, thing)
    return body
  })
  const velocity = { x: 0, y: 0, z: 0 }
  return {
    world,
    thingOf,
    /** Moves as the scene has just moved; a thing that turned back at the wall does so from the next step on. */
    move() {
      world.step()
      const { things, count: turns } = circles.turned
      for (let i = 0; i < turns; i++) {
        if (things[i] >= count) continue
        velocity.x = circles.vx[things[i]]
        velocity.y = circles.vy[things[i]]
        bodies[things[i]].setLinvel(velocity, true)
      }
    },
  }
}

function holdApart(rapier: Rapier, scene: CrowdScene): Crowd {
  const world = createWorld(rapier)
  // Its contact springs are tuned for steps of 1/60 s and for things of about a metre: 100 px.
  world.timestep = 1 / TICKS_PER_SECOND
  world.lengthUnit = 100
  const bodies = Array.from({ length: scene.count }, (_, thing) => {
    const desc = scene.mass[thing] === 0 ? rapier.RigidBodyDesc.fixed() : rapier.RigidBodyDesc.dynamic()
    const place = desc.setTranslation as (x: number, y: number, z: number) => Rapier2D.RigidBodyDesc
    const body = world.createRigidBody(
      place.call(desc, scene.x[thing], scene.y[thing], 0).setCanSleep(false).lockRotations(),
    )
    const collider = rapier.ColliderDesc.ball(scene.radius[thing]).setFriction(0).setRestitution(0)
    world.createCollider(scene.mass[thing] === 0 ? collider : collider.setMass(scene.mass[thing]), body)
    return body
  })
  const velocity = { x: 0, y: 0, z: 0 }
  return steeredCrowd(scene, {
    place(thing, out) {
      const at = bodies[thing].translation()
      out.x = at.x
      out.y = at.y
    },
    walk(thing, { x, y }) {
      velocity.x = x * TICKS_PER_SECOND
      velocity.y = y * TICKS_PER_SECOND
      bodies[thing].setLinvel(velocity, true)
    },
    step: () => world.step(),
  })
}

function createWorld(rapier: Rapier): World {
  const world = new rapier.World({ x: 0, y: 0, z: 0 } as Rapier2D.Vector2)
  // Velocities are px per step.
  world.timestep = 1
  return world
}

function createBody(rapier: Rapier, world: World, { x, y, vx, vy }: Circles, thing: number): Rapier2D.RigidBody {
  const desc = rapier.RigidBodyDesc.kinematicVelocityBased()
  const place = desc.setTranslation as (x: number, y: number, z: number) => Rapier2D.RigidBodyDesc
  const push = desc.setLinvel as (x: number, y: number, z: number) => Rapier2D.RigidBodyDesc
  place.call(desc, x[thing], y[thing], 0)
  push.call(desc, vx[thing], vy[thing], 0)
  return world.createRigidBody(desc.setCanSleep(false))
}

/** Loads a build. Some print a deprecation of their own making while they start. */
async function start(loading: Promise<unknown>): Promise<Rapier> {
  const rapier = (await loading) as Rapier
  const { warn } = console
  console.warn = () => {}
  await rapier.init()
  console.warn = warn
  return rapier
}
