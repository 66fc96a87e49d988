/** The wrestlers one can fight, best first. */

import { wrestler } from './wrestler.ts'

export const yokozuna = wrestler('yokozuna', 'patient near the edge, quick at close quarters', {
  eager: 0.9,
  careful: 1.6,
  shootsFrom: 4,
})

export const rikishi = wrestler('rikishi', 'hits less often and looks less at the edge', {
  eager: 0.5,
  careful: 0.8,
  shootsFrom: 5,
})

export const bots = [yokozuna, rikishi]
