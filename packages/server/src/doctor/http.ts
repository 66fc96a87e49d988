/** Requests of the doctor: whatever the certificate, with a time limit, and no more of the answer than is looked at. */

import { type IncomingHttpHeaders, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'

export type Reply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The connection was handed over to a web socket. */
  readonly isUpgraded: boolean
}

export type Asking = {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly waitMs: number
}

const MAX_BYTES = 65_536

export function request(url: URL, { method = 'GET', headers = {}, body, waitMs }: Asking): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? tlsRequest : plainRequest
    // The certificate has a row of its own.
    const asked = send(url, { method, headers, agent: false, rejectUnauthorized: false })
    const timer = setTimeout(() => asked.destroy(timeout()), waitMs)
    const done = (reply: Reply) => {
      clearTimeout(timer)
      resolve(reply)
      asked.destroy()
    }
    asked.on('response', (response) => {
      const { statusCode: status = 0, headers: given } = response
      let text = ''
      const take = () => done({ status, headers: given, body: text, isUpgraded: false })
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (text.length > MAX_BYTES) take()
      })
      response.on('end', take)
      response.on('error', reject)
    })
    asked.on('upgrade', ({ statusCode: status = 0, headers: given }, socket) => {
      socket.on('error', () => {})
      done({ status, headers: given, body: '', isUpgraded: true })
      socket.destroy()
    })
    asked.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    asked.end(body)
  })
}

/** What a server of ours says of its health, whatever it is. */
export function isHealth(body: string): boolean {
  return /^\{"status":"[^"]*"/.test(body)
}

/** Rejects after so long: what takes longer is no answer. */
export function late(ms: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(timeout()), ms).unref()
  })
}

function timeout(): Error {
  return Object.assign(new Error('there is no answer'), { code: 'TIMEOUT' })
}
