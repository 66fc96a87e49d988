/** Alerts (RFC 5246, 7.2), and the failure of a handshake, which is said by one. */

export const ALERT_LEVEL = { warning: 1, fatal: 2 } as const

/** AlertDescriptions. */
export const ALERT = {
  closeNotify: 0,
  handshakeFailure: 40,
  unsupportedCertificate: 43,
  decryptError: 51,
  protocolVersion: 70,
  noRenegotiation: 100,
} as const

/** No handshake with this client is possible. */
export class HandshakeFailure extends Error {
  readonly alert: number
  constructor(alert: number, message: string) {
    super(message)
    this.alert = alert
  }
}

/** Every alert but a warning other than close_notify. */
export function isEnd([level, description]: Buffer): boolean {
  return level !== ALERT_LEVEL.warning || description === ALERT.closeNotify
}
