import type { Scene } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'

/** A scene of the game by name; '' is its first. */
export function sceneOf({ scenes }: LoadedModule, name: string): Scene {
  const scene = name === '' ? scenes[0] : scenes.find((each) => each.name === name)
  if (scene !== undefined) return scene
  throw new Error(`there is no scene "${name}". Scenes: ${scenes.map((each) => each.name).join(', ')}.`)
}
