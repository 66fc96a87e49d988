/** The place: a square of clay with its white lines, the dark hall around it, four lanterns, and the light. */

import type { Target } from '@hurtbox/view'
import {
  BoxGeometry,
  CanvasTexture,
  CapsuleGeometry,
  CircleGeometry,
  Color,
  DirectionalLight,
  Fog,
  HemisphereLight,
  InstancedMesh,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Object3D,
  PointLight,
  type Scene,
  SphereGeometry,
  SRGBColorSpace,
} from 'three'
import { chance } from '../../view/chance.ts'
import { RING_HALF, RING_HEIGHT } from '../rules/content.ts'

const HALL = '#141022'
/** The colours of the four tassels above a ring, in their corners. */
const LANTERNS = [0x4fc3ff, 0xff5a5f, 0xf4f4f4, 0x9b6bff] as const

export function addRing(scene: Scene, target: Target): void {
  scene.background = new Color(HALL)
  scene.fog = new Fog(HALL, 45, 120)
  addLights(scene, target.isSmall)
  addFloor(scene)
  if (!target.isSmall) addCrowd(scene)
  const side = new MeshStandardMaterial({ color: 0x8a5a35, roughness: 0.95 })
  const top = new MeshStandardMaterial({ map: paintClay(target), roughness: 0.9 })
  const ring = new Mesh(new BoxGeometry(RING_HALF * 2, RING_HALF * 2, RING_HEIGHT), [side, side, side, side, top, side])
  ring.position.z = -RING_HEIGHT / 2
  ring.receiveShadow = true
  scene.add(ring)
  for (let corner = 0; corner < 4; corner++) {
    const [x, y] = [corner % 2 === 0 ? -1 : 1, corner < 2 ? -1 : 1]
    const lantern = new Mesh(new SphereGeometry(0.42, 18, 12), new MeshBasicMaterial({ color: LANTERNS[corner] }))
    lantern.position.set(x * (RING_HALF + 1.6), y * (RING_HALF + 1.6), 4.4)
    lantern.scale.z = 1.35
    const glow = new PointLight(LANTERNS[corner], 30, 16)
    glow.position.copy(lantern.position)
    // Those in front give light but would hang in the way.
    if (y > 0) scene.add(lantern)
    if (!target.isSmall) scene.add(glow)
  }
}

function addLights(scene: Scene, isSmall: boolean): void {
  scene.add(new HemisphereLight(0xcdd8ff, 0x6a4a34, 1.7))
  const sun = new DirectionalLight(0xfff0d8, 2.9)
  sun.position.set(-7, -10, 20)
  sun.castShadow = true
  sun.shadow.mapSize.set(isSmall ? 512 : 2048, isSmall ? 512 : 2048)
  const reach = RING_HALF + 5
  Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 1, far: 60 })
  sun.shadow.bias = -0.0006
  sun.shadow.normalBias = 0.04
  scene.add(sun)
}

function addFloor(scene: Scene): void {
  const floor = new Mesh(new CircleGeometry(90, 48), new MeshStandardMaterial({ color: 0x2a2140, roughness: 1 }))
  floor.position.z = -RING_HEIGHT
  floor.receiveShadow = true
  scene.add(floor)
}

/** The spectators: rows of people in the dark, each in its own colour, with one draw call for all. */
function addCrowd(scene: Scene): void {
  const dust = { chance: 1 }
  const rows = 4
  const perRow = 64
  const crowd = new InstancedMesh(
    new CapsuleGeometry(0.55, 0.7, 4, 10),
    new MeshStandardMaterial({ roughness: 0.9 }),
    rows * perRow,
  )
  const place = new Object3D()
  const colour = new Color()
  for (let i = 0; i < rows * perRow; i++) {
    const row = Math.floor(i / perRow)
    const angle = ((i % perRow) + (row % 2) * 0.5 + (chance(dust) - 0.5) * 0.5) * ((2 * Math.PI) / perRow)
    const away = 16 + row * 2.6
    place.position.set(Math.cos(angle) * away, Math.sin(angle) * away, row * 0.9 - RING_HEIGHT + 0.6)
    place.rotation.x = Math.PI / 2
    place.scale.setScalar(0.85 + chance(dust) * 0.4)
    place.updateMatrix()
    crowd.setMatrixAt(i, place.matrix)
    crowd.setColorAt(i, colour.setHSL(chance(dust), 0.3, 0.07 + chance(dust) * 0.1))
  }
  scene.add(crowd)
}

/** Clay with grains, a straw rope along the edge, and the two lines at which bouts begin. */
function paintClay(target: Target): CanvasTexture {
  const canvas = target.canvas.ownerDocument.createElement('canvas')
  const size = target.isSmall ? 256 : 1024
  canvas.width = size
  canvas.height = size
  const context = canvas.getContext('2d')
  if (context !== null) {
    const unit = size / (RING_HALF * 2)
    context.setTransform(unit, 0, 0, unit, size / 2, size / 2)
    context.fillStyle = '#d8a56b'
    context.fillRect(-RING_HALF, -RING_HALF, RING_HALF * 2, RING_HALF * 2)
    const dust = { chance: 1 }
    for (let grain = 0; grain < 2600; grain++) {
      context.fillStyle = grain % 2 === 0 ? 'rgba(120, 74, 36, 0.16)' : 'rgba(255, 226, 178, 0.18)'
      const width = 0.04 + chance(dust) * 0.16
      context.fillRect((chance(dust) - 0.5) * RING_HALF * 2, (chance(dust) - 0.5) * RING_HALF * 2, width, width * 0.6)
    }
    context.strokeStyle = '#f2e6cc'
    context.lineWidth = 0.5
    context.strokeRect(-RING_HALF + 0.45, -RING_HALF + 0.45, RING_HALF * 2 - 0.9, RING_HALF * 2 - 0.9)
    context.strokeStyle = '#b98a55'
    context.lineWidth = 0.12
    context.setLineDash([0.28, 0.2])
    context.strokeRect(-RING_HALF + 0.45, -RING_HALF + 0.45, RING_HALF * 2 - 0.9, RING_HALF * 2 - 0.9)
    context.setLineDash([])
    // Two metres from the edge: within it, the last blow of a combo throws out.
    context.strokeStyle = 'rgba(150, 44, 30, 0.55)'
    context.lineWidth = 0.08
    context.strokeRect(-RING_HALF + 2, -RING_HALF + 2, RING_HALF * 2 - 4, RING_HALF * 2 - 4)
    context.fillStyle = '#fdf6e3'
    context.fillRect(-1.3, -0.9, 0.22, 1.8)
    context.fillRect(1.08, -0.9, 0.22, 1.8)
  }
  const texture = new CanvasTexture(canvas)
  texture.colorSpace = SRGBColorSpace
  texture.anisotropy = 4
  return texture
}
