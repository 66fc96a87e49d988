/** Matches in a real Redis: who may write, what a taker finds, and what a Redis that lost everything does to a match. */

import { once } from 'node:events'
import { Fenced, type MatchLog, type MatchRecord, type TakenMatch } from '@hurtbox/netcode/host'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RedisStore, redisStore } from '../src/matches/redis-store.ts'
import { redisOptions } from '../src/redis.ts'
import { hasRedis, type Redis, RedisClient, startRedis } from './redis-process.ts'
import { until } from './support.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)
const NOTHING = { at: 0, bytes: bytes() }

describe.skipIf(!hasRedis())('matches in Redis', () => {
  let redis: Redis
  let first: RedisStore
  let second: RedisStore
  const stores: RedisStore[] = []
  const connect = async (processId: string) => {
    const store = await redisStore(redisOptions(redis.url), processId, () => {})
    stores.push(store)
    return store
  }
  beforeAll(async () => {
    redis = await startRedis()
    ;[first, second] = await Promise.all([connect('first'), connect('second')])
  }, 60_000)
  afterAll(() => {
    for (const store of stores) store.close()
    redis?.child.kill()
  })

  const recordOf = (id: string): MatchRecord => {
    const setup = { seed: 1, options: {}, tuning: {} }
    return { id, room: 'tag', fingerprint: 'build', setup, nonce: 1, match: 1, isPrivate: false, startedAt: 5 }
  }
  const create = (store: RedisStore, id: string) =>
    new Promise<MatchLog>((resolve, reject) => {
      store.create(recordOf(id), (error, log) => (error ? reject(error) : resolve(log)))
    })
  const take = (store: RedisStore, id: string) =>
    new Promise<TakenMatch | undefined>((resolve, reject) => {
      store.take(id, (error, taken) => (error ? reject(error) : resolve(taken)))
    })
  const write = (work: (done: (error: Error | undefined) => void) => void) =>
    new Promise<void>((resolve, reject) => work((error) => (error ? reject(error) : resolve())))
  const append = (log: MatchLog, ...values: number[]) => write((done) => log.append(bytes(...values), done))

  test('[ML11] a taker finds everything, and from then on the owner before writes nothing', async () => {
    const old = await create(first, 'fence')
    const seats = [
      { sessionId: 's', seat: 1, mode: 'mirror', name: 'Ada', id: 'ada', data: { skin: 2 }, tokens: ['hash'] },
    ] as const
    await write((done) => old.checkpoint(bytes(1, 2), { at: 0, bytes: bytes(7, 8, 9) }, done))
    await append(old, 3)
    await write((done) => old.keepSeats(seats, done))
    await append(old, 4)
    // An owner that is being fenced writes seats first and then the entry that confirms them, which is refused.
    const client = new RedisClient(redis.url)
    await client.hset('hurtbox:m:fence:seats', `${old.epoch}-999`, '[]')
    client.disconnect()
    const taken = (await take(second, 'fence'))!
    expect(taken.entries).toEqual([bytes(1, 2), bytes(3), bytes(4)])
    expect([taken.record, taken.seats, taken.replay]).toEqual([recordOf('fence'), seats, bytes(7, 8, 9)])
    await expect(append(old, 5)).rejects.toThrow(Fenced)
    await expect(write((done) => old.checkpoint(bytes(6), NOTHING, done))).rejects.toThrow(Fenced)
    await expect(write((done) => old.keepSeats([], done))).rejects.toThrow(Fenced)
    await expect(write((done) => old.remove(done))).rejects.toThrow(Fenced)
    await append(taken.log, 10)
    const again = (await take(first, 'fence'))!
    expect(again.entries).toEqual([bytes(1, 2), bytes(3), bytes(4), bytes(10)])
    expect(again.seats, 'seats that a fenced owner wrote do not count').toEqual(seats)
  })

  test('[ML11] of two takers at once the later one owns the match', async () => {
    await write((done) => void create(first, 'race').then((log) => log.checkpoint(bytes(1), NOTHING, done)))
    const both = await Promise.allSettled([take(first, 'race'), take(second, 'race')])
    const logs = both.flatMap((each) => (each.status === 'fulfilled' ? (each.value?.log ?? []) : []))
    const writes = await Promise.allSettled(logs.map((log) => append(log, log.epoch)))
    expect(writes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const best = logs.find((_, i) => writes[i].status === 'fulfilled')!
    expect(best.epoch).toBe(Math.max(...logs.map(({ epoch }) => epoch)))
  })

  test('[ML12] a checkpoint makes room, after its piece of the replay is kept', async () => {
    const log = await create(first, 'trim')
    for (let i = 0; i < 50; i++) await append(log, i)
    await write((done) => log.checkpoint(bytes(100), { at: 0, bytes: bytes(1, 2, 3, 4) }, done))
    await write((done) => log.checkpoint(bytes(101), { at: 4, bytes: bytes(5, 6) }, done))
    await append(log, 102)
    const client = new RedisClient(redis.url)
    await until('the stream is trimmed', async () => (await client.xlen('hurtbox:m:trim')) === 2)
    client.disconnect()
    const taken = (await take(second, 'trim'))!
    expect([taken.entries, taken.replay]).toEqual([[bytes(101), bytes(102)], bytes(1, 2, 3, 4, 5, 6)])
  })

  test('[ML24] what no process goes on with expires', async () => {
    const log = await create(first, 'forgotten')
    await write((done) => log.keepSeats([], done))
    await write((done) => log.checkpoint(bytes(1), { at: 0, bytes: bytes(1) }, done))
    const client = new RedisClient(redis.url)
    const keys = ['', ':epoch', ':record', ':seats', ':replay'].map((part) => `hurtbox:m:forgotten${part}`)
    await until('all of it has a time', async () => {
      const left = await Promise.all(keys.map((key) => client.pttl(key)))
      return left.every((ms) => ms > 0 && ms <= 3_600_000)
    })
    client.disconnect()
  })

  test('[ML12] answers come in the order of the calls, and entries are in it', async () => {
    const log = await create(first, 'order')
    const order: number[] = []
    await new Promise<void>((resolve) => {
      log.checkpoint(bytes(1), NOTHING, () => order.push(1))
      log.append(bytes(2), () => order.push(2))
      log.keepSeats([], () => order.push(3))
      log.append(bytes(4), () => {
        order.push(4)
        resolve()
      })
    })
    expect(order).toEqual([1, 2, 3, 4])
    expect((await take(second, 'order'))!.entries).toEqual([bytes(1), bytes(2), bytes(4)])
  })

  test('[ML13] a match that is over cannot be brought back by an owner of before', async () => {
    const old = await create(first, 'over')
    await write((done) => old.checkpoint(bytes(1), NOTHING, done))
    const { log } = (await take(second, 'over'))!
    await write((done) => log.remove(done))
    await expect(append(old, 2)).rejects.toThrow(Fenced)
    await expect(write((done) => old.checkpoint(bytes(3), NOTHING, done))).rejects.toThrow(Fenced)
    expect(await take(first, 'over')).toBeUndefined()
    expect((await first.list()).map(({ id }) => id)).not.toContain('over')
  })

  test('[ML14] a Redis that comes back empty: the owner is told, and a checkpoint brings the match back', async () => {
    const log = await create(first, 'lost')
    await write((done) => log.checkpoint(bytes(1), NOTHING, done))
    redis.child.kill('SIGKILL')
    await once(redis.child, 'exit')
    await expect(append(log, 2), 'while it is away').rejects.not.toBeInstanceOf(Fenced)
    redis = await startRedis(redis.port)
    await until('the connection is back', () =>
      append(log, 3).then(
        () => true,
        (error) => /lost/.test(String(error)),
      ),
    )
    await expect(append(log, 4)).rejects.toThrow('Redis has lost the match')
    await write((done) => log.checkpoint(bytes(5), NOTHING, done))
    await append(log, 6)
    await until('the second has a connection', () =>
      second.list().then(
        () => true,
        () => false,
      ),
    )
    const taken = (await take(second, 'lost'))!
    expect([taken.entries, taken.record]).toEqual([[bytes(5), bytes(6)], recordOf('lost')])
    await expect(append(log, 7)).rejects.toThrow(Fenced)
  })

  test('[ML5] what Redis was asked and had not answered when it died fails, so that the match can be kept again', async () => {
    const log = await create(first, 'unanswered')
    await write((done) => log.checkpoint(bytes(1), NOTHING, done))
    redis.child.kill('SIGSTOP')
    const pending = [append(log, 2), write((done) => log.checkpoint(bytes(3), NOTHING, done)), append(log, 4)]
    const failed = Promise.all(pending.map((each) => expect(each).rejects.not.toBeInstanceOf(Fenced)))
    redis.child.kill('SIGKILL')
    await failed
    redis = await startRedis(redis.port)
    await until('both have a connection', () =>
      Promise.all([first.list(), second.list()]).then(
        () => true,
        () => false,
      ),
    )
  })

  test('[ML25] what is not ours, damaged, too large or of a wrong type is skipped and said once', async () => {
    const said: string[] = []
    const store = await redisStore(redisOptions(redis.url), 'third', ({ message }) => said.push(message))
    const client = new RedisClient(redis.url)
    const sent = async () => Number(/total_net_output_bytes:(\d+)/.exec(await client.info('stats'))![1])
    await create(first, 'sound')
    const before = (await store.list()).map(({ id }) => id)
    expect(before).toContain('sound')
    const large = 'x'.repeat(4_000_000)
    await client.hset('hurtbox:matches', { 'other-app': 'not json', 'a-list': '[]', half: '{"room":"tag"}', large })
    await client.sadd('hurtbox:processes', 'wrong', 'text', 'long')
    await client.rpush('hurtbox:p:wrong', 'a list')
    await client.set('hurtbox:p:text', 'not json')
    await client.set('hurtbox:p:long', large)
    const ears = new RedisClient(redis.url)
    await ears.subscribe('p:wrong', 'p:text', 'p:long')
    const startedAt = await sent()
    for (let i = 0; i < 5; i++) {
      expect((await store.list()).map(({ id }) => id)).toEqual(before)
      expect(await store.processes()).toEqual([])
    }
    expect((await sent()) - startedAt, 'what is too large is not fetched').toBeLessThan(1_000_000)
    expect(said.sort()).toEqual([
      'hurtbox:matches a-list is skipped: it is no match of ours.',
      'hurtbox:matches half is skipped: it is no match of ours.',
      'hurtbox:matches large is skipped: it has 4000000 bytes, at most 16384 are read.',
      'hurtbox:matches other-app is skipped: it is no match of ours.',
      'hurtbox:p:long is skipped: it is no process of ours.',
      'hurtbox:p:text is skipped: it is no process of ours.',
    ])
    expect(await client.hlen('hurtbox:matches'), 'nothing of others is removed').toBe(before.length + 4)
    await client.hdel('hurtbox:matches', 'other-app', 'a-list', 'half', 'large')
    for (const each of [client, ears]) each.disconnect()
    store.close()
  })

  test('[ML26] a match that cannot be read is not changed, and one too large is not fetched', async () => {
    const client = new RedisClient(redis.url)
    const damage: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
      'is not valid JSON|Unexpected token': (key) => client.set(`${key}:record`, 'not json'),
      'not that of a match': (key) => client.set(`${key}:record`, '{}'),
      WRONGTYPE: (key) => client.multi().del(`${key}:record`).rpush(`${key}:record`, 'x').exec(),
      'record has \\d+ bytes, at most': (key) => client.set(`${key}:record`, 'x'.repeat(2 << 20)),
      'seats has \\d+ bytes, at most': (key) => client.hset(`${key}:seats`, '1-1', 'x'.repeat(2 << 20)),
    }
    for (const [i, [reason, harm]] of Object.entries(damage).entries()) {
      const id = `damaged-${i}`
      const log = await create(first, id)
      await harm(`hurtbox:m:${id}`)
      await expect(take(second, id)).rejects.toThrow(new RegExp(reason))
      await append(log, 1)
      expect(await second.ownerOf(id)).toBe('first')
      await client.hdel('hurtbox:matches', id)
    }
    client.disconnect()
  })

  test('[ML8] a process is alive while it renews its lease, and while Redis hears from it', async () => {
    const view = { id: 'first', games: { tag: 'build' }, isLeaving: false }
    await first.announce(view, 60_000)
    const ears = new RedisClient(redis.url)
    expect(await first.processes(), 'itself').toEqual([view])
    expect(await second.processes(), 'its connection is gone').toEqual([])
    await ears.subscribe('p:first')
    expect(await second.processes()).toEqual([view])
    await first.announce(view, 1)
    await until('the lease is over', async () => (await second.processes()).length === 0)
    ears.disconnect()
  })
})
