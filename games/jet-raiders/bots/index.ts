/** The bot pilots, best first. */

import { pilot } from './pilot.ts'

export const ace = pilot('ace', 'aims ahead from a distance, and dodges; too late for that, it raises the shield', {
  aimsAhead: true,
  trembles: 0.05,
  foresight: 0.12,
  keepsOff: 150,
  secondary: 'shield',
})

export const hunter = pilot('hunter', 'aims ahead and dashes at its target; dodges when it must', {
  aimsAhead: true,
  trembles: 0.1,
  foresight: 0.08,
  keepsOff: 80,
  secondary: 'dash',
})

export const rookie = pilot('rookie', 'shoots where its target is, with a trembling hand, and never looks around', {
  aimsAhead: false,
  trembles: 0.5,
  foresight: 0,
  keepsOff: 0,
  secondary: 'dash',
})

export const bots = [ace, hunter, rookie]
