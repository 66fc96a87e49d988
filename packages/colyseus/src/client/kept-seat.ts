/**
 * The seat of this tab, kept for a page that is loaded anew: reloaded, or opened again after a crash.
 *
 * In the storage of the tab, so that another tab is another player. A tab that is duplicated has a copy; the room does not give it the seat
 * while its player is connected. Where players have accounts only the room is kept: the account is what opens the seat there.
 */

export type KeptSeat = {
  readonly roomId: string
  /** Empty where the player has an account. */
  readonly token: string
}

/** One place for each server and kind of room. */
export function placeOfSeat(address: string, room: string): string {
  return `hurtbox seat ${room} ${address}`
}

type Storage = {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
  removeItem(name: string): void
}

export function keptSeat(place: string): KeptSeat | undefined {
  const read = withStorage((storage) => JSON.parse(storage.getItem(place) ?? 'null'))
  return typeof read?.roomId === 'string' && typeof read.token === 'string' ? read : undefined
}

export function keepSeat(place: string, seat: KeptSeat): void {
  withStorage((storage) => storage.setItem(place, JSON.stringify(seat)))
}

export function forgetSeat(place: string): void {
  withStorage((storage) => storage.removeItem(place))
}

/** Pages may be denied the storage, and programs have none. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    const { sessionStorage } = globalThis as { sessionStorage?: Storage }
    return sessionStorage && use(sessionStorage)
  } catch {
    return undefined
  }
}
