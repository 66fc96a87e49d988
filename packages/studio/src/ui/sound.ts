/**
 * Sound, off until somebody asks for it: which event makes which sound, the game says.
 *
 * Made from nothing by the browser's synthesiser, so that there is no file to load.
 */

import type { EventRecord } from 'hurtbox'
import { type LoadedModule, meaningOfEvent, type SoundName } from 'hurtbox/module'

export type Sound = { play(events: readonly EventRecord[]): void; close(): void }

/** More at once is only louder. */
const MOST_AT_ONCE = 3

/** Noise around a pitch, or a tone that slides from one pitch to another. */
type Voice =
  | { readonly noise: number; readonly seconds: number; readonly gain: number }
  | { readonly from: number; readonly to: number; readonly seconds: number; readonly gain: number }

const VOICES: Readonly<Record<SoundName, Voice>> = {
  shot: { noise: 2400, seconds: 0.04, gain: 0.2 },
  hit: { noise: 900, seconds: 0.09, gain: 0.9 },
  block: { noise: 3200, seconds: 0.06, gain: 0.6 },
  death: { from: 420, to: 70, seconds: 0.35, gain: 0.6 },
  pickup: { from: 600, to: 1000, seconds: 0.1, gain: 0.3 },
  round: { from: 330, to: 330, seconds: 0.25, gain: 0.4 },
  win: { from: 330, to: 880, seconds: 0.6, gain: 0.5 },
  lowHealth: { from: 220, to: 200, seconds: 0.15, gain: 0.4 },
}

export function createSound(module: LoadedModule): Sound {
  const context = new AudioContext()
  const out = new GainNode(context, { gain: 0.18 })
  out.connect(context.destination)
  const noise = noiseOf(context)

  const sound = (voice: Voice, at: number) => {
    const end = at + voice.seconds
    const gain = new GainNode(context)
    gain.gain.setValueAtTime(voice.gain, at)
    gain.gain.exponentialRampToValueAtTime(0.001, end)
    gain.connect(out)
    if ('noise' in voice) {
      const source = new AudioBufferSourceNode(context, { buffer: noise, playbackRate: 0.7 + Math.random() * 0.6 })
      source.connect(new BiquadFilterNode(context, { type: 'bandpass', frequency: voice.noise, Q: 0.8 })).connect(gain)
      source.start(at)
      source.stop(end)
      return
    }
    const tone = new OscillatorNode(context, { type: 'triangle' })
    tone.frequency.setValueAtTime(voice.from, at)
    tone.frequency.exponentialRampToValueAtTime(voice.to, end)
    tone.connect(gain)
    tone.start(at)
    tone.stop(end)
  }

  return {
    play(events) {
      const counts = new Map<SoundName, number>()
      for (const { kind } of events) {
        const name = meaningOfEvent(module, kind)?.sound
        if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
      }
      const at = context.currentTime
      for (const [name, count] of counts) {
        for (let i = 0; i < Math.min(MOST_AT_ONCE, count); i++) sound(VOICES[name], at + i * 0.02)
      }
    },
    close: () => void context.close(),
  }
}

function noiseOf(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate / 5, context.sampleRate)
  const samples = buffer.getChannelData(0)
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1
  return buffer
}
