/** Draws the court with three, seen from straight above. It reads the match and never changes it. */

import type { View } from '@hurtbox/view'
import { MatchGroup } from '@hurtbox/view/three'
import { playerAt } from 'hurtbox'
import {
  CylinderGeometry,
  DirectionalLight,
  ExtrudeGeometry,
  Group,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  OrthographicCamera,
  RingGeometry,
  Scene,
  Shape,
  SphereGeometry,
  TorusGeometry,
  Vector2,
  WebGLRenderer,
} from 'three'
import { court } from '../game/map.ts'
import type { ShieldBall } from '../game/rules.ts'
import { COLOURS, cornersOf, courtView, createLens, SHIELD, TEAMS } from './court.ts'

const WALL_HEIGHT = 20

export const view: View<ShieldBall> = {
  ...courtView,
  target: 'own',
  create({ canvas }) {
    const renderer = new WebGLRenderer({ canvas, antialias: true })
    renderer.setClearColor(COLOURS.floor)
    // y of the game is z here. Seen from above, with z down the screen, it is the way round that it is on a canvas.
    const camera = new OrthographicCamera()
    camera.up.set(0, 0, -1)
    const lens = createLens()
    let ownId = 0
    const things = new MatchGroup<ShieldBall>(undefined, {
      create({ id, layer, radius, team }) {
        const group = new Group()
        group.add(mesh(new SphereGeometry(radius), layer === 'ball' ? COLOURS.ball : TEAMS[team]))
        if (id === ownId) group.add(flat(mesh(new TorusGeometry(radius, 2), COLOURS.own)))
        if (layer === 'ball') return group
        const [inner, outer] = [SHIELD.radius - SHIELD.width / 2, SHIELD.radius + SHIELD.width / 2]
        const shield = flat(mesh(new RingGeometry(inner, outer, 24, 1, -SHIELD.half, 2 * SHIELD.half), TEAMS[team]))
        shield.name = 'shield'
        return group.add(shield)
      },
      update(object, { shieldUp, stunnedUntil, bashUntil }, _place, { after }) {
        object.scale.y = stunnedUntil > after.clock ? 0.3 : 1
        const shield = object.getObjectByName('shield')
        if (shield === undefined) return
        shield.visible = shieldUp === 1
        shield.scale.setScalar(bashUntil > after.clock ? 1.15 : 1)
      },
      remove: (object) => object.traverse(dispose),
    })
    const sun = new DirectionalLight('#ffffff', 2)
    sun.position.set(-300, 400, -200)
    const scene = new Scene().add(drawCourt(), things, sun, new HemisphereLight('#ffffff', '#888888', 2))
    return {
      ...lens,
      draw(frame) {
        const { after, seat, width, height, pixelRatio } = frame
        const { x, y, scale } = frame.camera
        lens.follow(frame)
        ownId = playerAt(after, seat)?.thing?.id ?? 0
        things.draw(frame)
        renderer.setPixelRatio(pixelRatio)
        renderer.setSize(width, height, false)
        const [halfWidth, halfHeight] = [width / 2 / scale, height / 2 / scale]
        Object.assign(camera, {
          left: -halfWidth,
          right: halfWidth,
          top: halfHeight,
          bottom: -halfHeight,
          near: 1,
          far: 400,
        })
        camera.position.set(x, 200, y)
        camera.lookAt(x, 0, y)
        camera.updateProjectionMatrix()
        renderer.render(scene, camera)
      },
      dispose() {
        things.close()
        scene.traverse(dispose)
        renderer.dispose()
      },
    }
  },
}

function drawCourt(): Group {
  const group = new Group()
  for (const piece of court) {
    const colour = COLOURS[piece.layer]
    if ('x' in piece) {
      const pillar = mesh(new CylinderGeometry(piece.radius, piece.radius, WALL_HEIGHT), colour)
      pillar.position.set(piece.x, 0, piece.y)
      group.add(pillar)
      continue
    }
    const floorPlan = new Shape(cornersOf(piece).map(([x, y]) => new Vector2(x, y)))
    const wall = flat(mesh(new ExtrudeGeometry(floorPlan, { depth: WALL_HEIGHT, bevelEnabled: false }), colour))
    wall.position.y = WALL_HEIGHT * (piece.layer === 'goal' ? -0.5 : 0.5)
    group.add(wall)
  }
  return group
}

function mesh(geometry: ConstructorParameters<typeof Mesh>[0], colour: string): Mesh {
  return new Mesh(geometry, new MeshStandardMaterial({ color: colour, side: 2 }))
}

/** Lays what was made in the plane of x and y on the floor. */
function flat(object: Mesh): Mesh {
  object.rotation.x = Math.PI / 2
  return object
}

/** What was made for one thing alone has to be given back. */
function dispose(object: object): void {
  if (!(object instanceof Mesh)) return
  object.geometry.dispose()
  object.material.dispose()
}
