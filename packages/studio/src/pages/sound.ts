/**
 * Sound: which event makes which sound of the set, the module of the game says, and its view how that sound sounds.
 *
 * Made from nothing by the browser's synthesiser, so that there is no file to load. Browsers allow sound only after a click or a
 * key, so it begins with the first one.
 */

import type { View, Voice } from '@hurtbox/view'
import { effect } from '@preact/signals'
import type { EventRecord } from 'hurtbox'
import { type LoadedModule, meaningOfEvent, type SoundName } from 'hurtbox/module'
import { isMuted, volume } from '../model/volume.ts'

export type Sound = {
  /** Fewer of the same kind on a machine that cannot keep up. */
  play(events: readonly EventRecord[], isSlow?: boolean): void
  playOne(name: SoundName): void
  close(): void
}

/** More at once is only louder. */
const MOST_AT_ONCE = 3
const LOUDEST = 0.3

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

export function createSound(module: LoadedModule, view: View): Sound {
  const stop = new AbortController()
  let speaker: Speaker | undefined
  const begin = () => {
    speaker ??= createSpeaker()
  }
  for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, begin, { signal: stop.signal })
  // The click that opened the game counts.
  if (navigator.userActivation?.hasBeenActive) begin()
  const play = (name: SoundName, delay = 0) => {
    if (!isMuted.value && volume.value > 0) speaker?.sound({ ...VOICES[name], ...view.sounds?.[name] }, delay)
  }
  return {
    play(events, isSlow = false) {
      if (events.length === 0) return
      const counts = new Map<SoundName, number>()
      for (const { kind } of events) {
        const name = meaningOfEvent(module, kind)?.sound
        if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1)
      }
      for (const [name, count] of counts) {
        for (let i = 0; i < Math.min(isSlow ? 1 : MOST_AT_ONCE, count); i++) play(name, i * 0.02)
      }
    },
    playOne: (name) => play(name),
    close() {
      stop.abort()
      speaker?.close()
    },
  }
}

type Speaker = { sound(voice: Voice, delay: number): void; close(): void }

function createSpeaker(): Speaker {
  const context = new AudioContext()
  const out = new GainNode(context)
  out.connect(context.destination)
  const endVolume = effect(() => {
    out.gain.value = volume.value * LOUDEST
  })
  const noise = noiseOf(context)
  return {
    sound({ noise: pitch, from, to = from, wave = 'triangle', seconds, gain: loud }, delay) {
      const at = context.currentTime + delay
      const end = at + seconds
      const gain = new GainNode(context)
      gain.gain.setValueAtTime(loud, at)
      gain.gain.exponentialRampToValueAtTime(0.001, end)
      gain.connect(out)
      if (pitch !== undefined) {
        const source = new AudioBufferSourceNode(context, { buffer: noise, playbackRate: 0.7 + Math.random() * 0.6 })
        source.connect(new BiquadFilterNode(context, { type: 'bandpass', frequency: pitch, Q: 0.8 })).connect(gain)
        source.start(at)
        source.stop(end)
      }
      if (from === undefined) return
      const tone = new OscillatorNode(context, { type: wave })
      tone.frequency.setValueAtTime(from, at)
      tone.frequency.exponentialRampToValueAtTime(to!, end)
      tone.connect(gain)
      tone.start(at)
      tone.stop(end)
    },
    close() {
      endVolume()
      void context.close()
    },
  }
}

function noiseOf(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate / 5, context.sampleRate)
  const samples = buffer.getChannelData(0)
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1
  return buffer
}
