/** Keeps the screen of a phone on while a match runs. Browsers that cannot, or refuse, lose nothing. */

const LOOK_EVERY_MS = 2000

/** Returns a function that lets the screen sleep again. */
export function keepAwake(isRunning: () => boolean): () => void {
  let lock: WakeLockSentinel | undefined
  const look = async () => {
    const wants = isRunning() && document.visibilityState === 'visible'
    if (lock?.released) lock = undefined
    if (wants && lock === undefined) lock = await navigator.wakeLock?.request('screen').catch(() => undefined)
    else if (!wants && lock !== undefined) await release()
  }
  const release = async () => {
    const held = lock
    lock = undefined
    await held?.release().catch(() => {})
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  return () => {
    clearInterval(timer)
    void release()
  }
}
