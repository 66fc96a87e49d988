/** Rooms for tests of what lies around a room: an echo, one that ticks, one that fails, one that sends more than anybody reads. */

import { type Client, Room } from '@colyseus/core'

/** Answers everything; keeps the seat of a client that was cut. */
export class EchoRoom extends Room {
  override maxClients = 16

  override messages = {
    '*': (client: Client, type: string | number, message: unknown) => client.send(type, message),
  }

  override async onDrop(client: Client): Promise<void> {
    await this.allowReconnection(client, 20)
  }
}

/** Fails before anybody is in it. */
export class BrokenRoom extends Room {
  override onCreate(): void {
    throw new Error('the secret of the house')
  }
}

/** 9 MB a second to everybody. */
export class FirehoseRoom extends Room {
  #timer: NodeJS.Timeout | undefined

  override onCreate(): void {
    const block = Buffer.alloc(90_000, 7)
    this.#timer = setInterval(() => this.broadcastBytes('block', block, {}), 10)
  }

  override onDispose(): void {
    clearInterval(this.#timer)
  }

  override async onDrop(client: Client): Promise<void> {
    await this.allowReconnection(client, 20)
  }
}

const TICK_MS = 1000 / 60
/** As a real room: what a stall delayed is made up for, up to a bound. */
const ROOM_CATCH_UP_TICKS = 5

/** A match's worth of work, sixty times a second, with the time it took. */
export class TickingRoom extends Room {
  static onTick: (seconds: number) => void = () => {}
  override autoDispose = false
  readonly #numbers = new Float64Array(4_096)
  #timer: NodeJS.Timeout | undefined

  override onCreate(): void {
    let dueAt = performance.now()
    this.#timer = setInterval(() => {
      dueAt = Math.max(dueAt, performance.now() - ROOM_CATCH_UP_TICKS * TICK_MS)
      for (; dueAt <= performance.now(); dueAt += TICK_MS) this.#tick()
    }, 4)
  }

  #tick(): void {
    const start = performance.now()
    for (let i = 0; i < 100_000; i++) this.#numbers[i & 4_095] += Math.sqrt(i)
    TickingRoom.onTick((performance.now() - start) / 1000)
  }

  override onDispose(): void {
    clearInterval(this.#timer)
  }
}

/** Keeps the process busy for a tenth of its time. */
export class HeavyRoom extends Room {
  #timer: NodeJS.Timeout | undefined

  override onCreate(): void {
    this.#timer = setInterval(() => {
      const end = performance.now() + 2
      while (performance.now() < end);
    }, 20)
  }

  override onDispose(): void {
    clearInterval(this.#timer)
  }
}
