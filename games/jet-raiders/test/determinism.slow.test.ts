import { proveDeterminism } from '../../test/determinism.ts'
import { shortScenes } from '../scenes/index.ts'

proveDeterminism(shortScenes, {
  duel: 'c62002a226418a7b',
  dogfight: '33964c485f5b5736',
  melee: '8583d3938d98858e',
  storm: 'bcbbb9dfed7a7a04',
})
