/** The bot wrestlers, best first. */

import { wrestler } from './wrestler.ts'

export const yokozuna = wrestler('yokozuna', 'patient near the edge, quick at close quarters', {
  eager: 0.95,
  careful: 1.2,
  shootsFrom: 3.5,
})

export const rikishi = wrestler('rikishi', 'hits less often and looks less at the edge', {
  eager: 0.3,
  careful: 0.3,
  shootsFrom: 6,
})

export const bots = [yokozuna, rikishi]
