/** `<hurtbox-replay>` for the pages of this site: the games it knows are those of docs/scenes. */

import { defineReplayElement } from '@hurtbox/studio/replay'
import type { Scene } from 'hurtbox'
import { defineModule } from 'hurtbox/module'

const scenes = import.meta.glob<{ scene: Scene }>('../../scenes/*.ts')

const games = Object.entries(scenes).map(([path, load]) => {
  const id = path.replace(/^.*\/|\.ts$/g, '')
  return [id, async () => ({ default: defineModule({ game: (await load()).scene.game as never, title: id }) })] as const
})

defineReplayElement(Object.fromEntries(games))
