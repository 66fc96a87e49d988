/** What `hurtbox doctor` finds: a row for each thing it looked at, in words for people and as plain data for programs. */

/** `skipped` is what could not be looked at, and is no complaint. */
export type Verdict = 'ok' | 'warning' | 'wrong' | 'skipped'

export type Finding = {
  /** What was looked at, the same in every run. */
  readonly name: string
  readonly verdict: Verdict
  /** What was seen, or what to do, in a sentence. */
  readonly says: string
}

export type Judge = Readonly<Record<Verdict, (says: string) => Finding>>

/** Makes findings of one name. */
export function judge(name: string): Judge {
  const as = (verdict: Verdict) => (says: string) => ({ name, verdict, says })
  return { ok: as('ok'), warning: as('warning'), wrong: as('wrong'), skipped: as('skipped') }
}

/** An error, in a few words. */
export function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED') return 'nothing listens there'
  if (code === 'ETIMEDOUT' || code === 'TIMEOUT') return 'there is no answer'
  return message || code
}
