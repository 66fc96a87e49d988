/** Sounds without files: a tone that fades. Browsers allow it after the first click or key. */

let context: AudioContext | undefined
addEventListener('pointerdown', () => void (context ??= new AudioContext()), { once: true })

export function beep(frequency: number, seconds = 0.06): void {
  if (context === undefined) return
  const tone = new OscillatorNode(context, { frequency })
  const volume = new GainNode(context, { gain: 0.1 })
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + seconds)
  tone.connect(volume).connect(context.destination)
  tone.start()
  tone.stop(context.currentTime + seconds)
}
