/** What a player is told over the game: who killed it, when it is back, that it is safe, that the machine is too slow. */

import { playerAt } from 'hurtbox'
import type { LoadedModule } from 'hurtbox/module'
import type { AnyWorld } from 'hurtbox/tools'
import { TOLD_SECONDS } from '../model/play.ts'
import { type Death, type Studio, worldOf } from '../model/studio.ts'

export function Notices({ studio }: { studio: Studio }) {
  void studio.pulse.value
  const { show, module, seat, news } = studio
  return (
    <>
      {show.isReady.value && seat.value >= 0 && (
        <DeathNotice module={module} world={worldOf(studio)} seat={seat.value} death={studio.death.value} />
      )}
      {show.failure.value !== '' && studio.isUiHidden.value && (
        <div class="notice is-bad" role="alert" data-testid="failure">
          <b>{show.failure.value}</b>
        </div>
      )}
      <p class="visually-hidden" aria-live="polite" data-testid="news">
        {news.value}
      </p>
    </>
  )
}

export function DeathNotice({
  module,
  world,
  seat,
  death,
}: {
  module: LoadedModule
  world: AnyWorld
  seat: number
  death: Death | undefined
}) {
  const player = playerAt(world, seat)
  if (death === undefined || player === undefined || world.tick < death.tick) return null
  const { tickRate } = module.game.declaration
  const waits = ((module.meaning.returnsAt?.(player, world as never) ?? 0) - world.clock) / tickRate
  const since = (world.tick - death.tick) / tickRate
  const protectedFor =
    (((player.thing as { invulnerableUntil?: number })?.invulnerableUntil ?? 0) - world.clock) / tickRate
  if (waits > 0) {
    return (
      <div class="notice is-bad" role="status" data-testid="death">
        <b>{death.text}</b>
        <span aria-hidden="true">back in {waits.toFixed(1)} s</span>
      </div>
    )
  }
  if (module.meaning.returnsAt === undefined && since < TOLD_SECONDS) {
    return (
      <div class="notice is-bad" role="status" data-testid="death">
        <b>{death.text}</b>
      </div>
    )
  }
  if (protectedFor <= 0) return null
  return (
    <div class="notice" data-testid="protected">
      <b>protected</b>
      <span aria-hidden="true">{protectedFor.toFixed(1)} s</span>
    </div>
  )
}
