import { proveDeterminism } from '../../test/determinism.ts'
import { shortScenes } from '../scenes/index.ts'

proveDeterminism(shortScenes, {
  duel: '84eb93112b745b29',
  dogfight: '73116de1ce2ba39f',
  melee: '2ae4c834eac3b00e',
  storm: 'd382ec331147df6a',
})
