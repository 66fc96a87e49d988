/** Which layers can meet: the layer matrix of the game. A click on a name hides its boxes. */

import type { Studio } from '../../model/studio.ts'
import { layerRows } from './data.ts'
import css from './panel.css?inline'

export { css }

export function Panel({ studio }: { studio: Studio }) {
  const { layers: game } = studio.module.game
  const { layers } = studio
  if (game.names.length === 0) return <p class="muted">This game declares no layers.</p>
  const isHidden = (layer: number) => ((layers.value.hiddenLayers >>> layer) & 1) === 1
  return (
    <div>
      <p class="muted">Boxes of two layers are tested only where the two meet. Click a name to hide its boxes.</p>
      <table class="matrix" data-testid="matrix">
        <thead>
          <tr>
            <td />
            {game.names.map((name: string) => (
              <th key={name} scope="col">
                <span>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {layerRows(game).map(({ name, meets }, a) => (
            <tr key={name}>
              <th scope="row">
                <button
                  type="button"
                  class={isHidden(a) ? 'is-hidden' : ''}
                  aria-pressed={!isHidden(a)}
                  onClick={() =>
                    void (layers.value = { ...layers.value, hiddenLayers: layers.value.hiddenLayers ^ (1 << a) })
                  }
                >
                  <kbd>{a + 1}</kbd> {name}
                </button>
              </th>
              {game.names.map((other: string, b: number) => (
                <td key={other} class={meets[b] ? 'meets' : ''} title={`${name} and ${other}`}>
                  {meets[b] ? '●' : '·'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
