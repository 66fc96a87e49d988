/** A small game with views that draw with Pixi, Phaser and three, as a user would write them: plain JavaScript for a project of its own. */

/** Runners on a plane, everyone with keys; `view` is the file beside it. */
const gameOf = (id: string) => `
import { axis, declareGame, defineGame, players, spawn } from 'hurtbox'
import { defineModule } from 'hurtbox/module'

const declaration = declareGame({
  id: '${id}',
  tickRate: 30,
  seats: { min: 1, max: 4 },
  layers: { runner: [] },
  input: { moveX: axis(), moveY: axis() },
})
const game = defineGame(declaration, {
  onJoin(_world, player) {
    player.thing = spawn(_world, 'runner', { x: 80 * player.seat - 120, radius: 20 })
  },
  phases: {
    run(world) {
      for (const { thing, moveX, moveY } of players(world)) {
        if (thing === undefined) continue
        thing.x += 3 * moveX
        thing.y += 3 * moveY
      }
    },
  },
})
export default defineModule({ game, title: '${id}', view: () => import('./${id}-view.js') })
`

/** What the three views share: keys, what is in sight, and the way between the world and the screen by the host's camera. */
const viewOf = (imports: string, create: string) => `
import { each } from 'hurtbox'
${imports}

const keys = (name, less, more) => ({ kind: 'axis', less: [less], more: [more], label: name })

/** Where the host's camera puts a place of the world. */
const screenOf = ({ camera, width, height }, x, y) => ({
  x: width / 2 + (x - camera.x) * camera.scale,
  y: height / 2 + (y - camera.y) * camera.scale,
})

/** Both ways, for the frame that was drawn last. */
function places(last) {
  return {
    project(x, y, _z, out) {
      Object.assign(out, screenOf(last(), x, y))
    },
    unproject(screenX, screenY, out) {
      const { camera, width, height } = last()
      out.x = camera.x + (screenX - width / 2) / camera.scale
      out.y = camera.y + (screenY - height / 2) / camera.scale
    },
  }
}

export const view = {
  help: ['Run about.'],
  target: 'own',
  controls: { fields: { moveX: keys('x', 'KeyA', 'KeyD'), moveY: keys('y', 'KeyW', 'KeyS') } },
  bounds: () => ({ minX: -200, minY: -100, maxX: 200, maxY: 100 }),
  ${create}
}
`

const PIXI = viewOf(
  "import { Application, Graphics } from 'pixi.js'",
  `async create({ canvas }) {
    const app = new Application()
    await app.init({ canvas, autoStart: false, background: 0x103050 })
    const circles = app.stage.addChild(new Graphics())
    let frame
    return {
      draw(next) {
        frame = next
        app.renderer.resize(frame.width, frame.height)
        circles.clear()
        for (const { x, y, radius } of each(frame.after)) {
          const at = screenOf(frame, x, y)
          circles.circle(at.x, at.y, radius * frame.camera.scale).fill(0xff2020)
        }
        app.render()
      },
      ...places(() => frame),
      dispose: () => app.destroy(),
    }
  },`,
)

const PHASER = viewOf(
  "import * as Phaser from 'phaser'",
  `async create({ element, canvas }) {
    let frame
    const scene = await new Promise((resolve) => {
      new Phaser.Game({
        type: Phaser.WEBGL,
        canvas,
        parent: element,
        width: 1,
        height: 1,
        scale: { mode: Phaser.Scale.NONE },
        backgroundColor: '#103050',
        banner: false,
        audio: { noAudio: true },
        input: { keyboard: false, mouse: false, touch: false },
        scene: {
          create() {
            this.circles = this.add.graphics()
            resolve(this)
          },
        },
      })
    })
    return {
      draw(next) {
        frame = next
        const { width, height, camera } = frame
        if (scene.scale.width !== width || scene.scale.height !== height) scene.scale.resize(width, height)
        scene.circles.clear().fillStyle(0xff2020)
        for (const { x, y, radius } of each(frame.after)) {
          const at = screenOf(frame, x, y)
          scene.circles.fillCircle(at.x, at.y, radius * camera.scale)
        }
      },
      ...places(() => frame),
      dispose: () => scene.game.destroy(false),
    }
  },`,
)

const THREE = viewOf(
  "import * as THREE from 'three'",
  `create({ canvas }) {
    const renderer = new THREE.WebGLRenderer({ canvas })
    renderer.setClearColor(0x103050)
    const scene = new THREE.Scene()
    const eye = new THREE.OrthographicCamera()
    eye.position.z = 10
    const geometry = new THREE.CircleGeometry(1, 32)
    const material = new THREE.MeshBasicMaterial({ color: 0xff2020, side: THREE.DoubleSide })
    let frame
    return {
      draw(next) {
        frame = next
        const { width, height } = frame
        renderer.setSize(width, height, false)
        Object.assign(eye, { left: 0, right: width, top: 0, bottom: height })
        eye.updateProjectionMatrix()
        scene.clear()
        for (const { x, y, radius } of each(frame.after)) {
          const at = screenOf(frame, x, y)
          const disc = new THREE.Mesh(geometry, material)
          disc.position.set(at.x, at.y, 0)
          disc.scale.setScalar(radius * frame.camera.scale)
          scene.add(disc)
        }
        renderer.render(scene, eye)
      },
      ...places(() => frame),
      dispose: () => renderer.dispose(),
    }
  },`,
)

/** The names of the games. */
export const RENDERERS = ['by-pixi', 'by-phaser', 'by-three'] as const

/** Every file of them, by name. */
export const RENDERER_FILES: Readonly<Record<string, string>> = Object.fromEntries(
  [PIXI, PHASER, THREE].flatMap((view, i) => [
    [`${RENDERERS[i]}.js`, gameOf(RENDERERS[i])],
    [`${RENDERERS[i]}-view.js`, view],
  ]),
)
