import { proveDeterminism } from '../../test/determinism.ts'
import { shortScenes } from '../scenes/index.ts'

proveDeterminism(shortScenes, {
  night: 'ac02d52602a57ce0',
  horde: 'ffc94db38e7b6930',
  storm: '83cb80d2d4f84514',
  'scenario-1': 'b64dd6d7675cbfce',
  'scenario-1-original': '9a1bea84c3e70c09',
  'scenario-2': '3962b0e7d3480c9b',
  'scenario-2-original': '8bd6e87ab00ec2d8',
  'scenario-3': '4015278c4b2da8a0',
  'scenario-3-original': 'c48bd058e53ae514',
})
