/**
 * Sound, off by default: a short noise for every hit, a falling tone for every death.
 *
 * Made by the browser's synthesiser, so that there is no file to load, and from events alone, so that it
 * works for every game.
 */

import type { EventRecord } from 'hurtbox'
import { meaningOf } from '../sim/event-kinds.ts'

export type Sound = { play(events: readonly EventRecord[]): void; close(): void }

/** More at once is only louder. */
const MOST_AT_ONCE = 3

export function createSound(): Sound {
  const context = new AudioContext()
  const out = new GainNode(context, { gain: 0.18 })
  out.connect(context.destination)
  const noise = noiseOf(context)

  const thump = (at: number) => {
    const source = new AudioBufferSourceNode(context, { buffer: noise, playbackRate: 0.7 + Math.random() * 0.6 })
    const filter = new BiquadFilterNode(context, { type: 'bandpass', frequency: 900, Q: 0.8 })
    const gain = new GainNode(context)
    gain.gain.setValueAtTime(0.9, at)
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.09)
    source.connect(filter).connect(gain).connect(out)
    source.start(at)
    source.stop(at + 0.1)
  }
  const fall = (at: number) => {
    const tone = new OscillatorNode(context, { type: 'triangle' })
    const gain = new GainNode(context)
    tone.frequency.setValueAtTime(420, at)
    tone.frequency.exponentialRampToValueAtTime(70, at + 0.35)
    gain.gain.setValueAtTime(0.6, at)
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.4)
    tone.connect(gain).connect(out)
    tone.start(at)
    tone.stop(at + 0.4)
  }

  return {
    play(events) {
      const count = (meaning: string) => events.filter(({ kind }) => meaningOf(kind) === meaning).length
      const at = context.currentTime
      for (let i = 0; i < Math.min(MOST_AT_ONCE, count('hit')); i++) thump(at + i * 0.02)
      if (count('death') > 0) fall(at)
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
