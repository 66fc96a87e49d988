/** The panels of the studio's own page, in order. */

import { EventsPanel } from './panels/events.tsx'
import { InspectPanel } from './panels/inspect.tsx'
import { LayersPanel } from './panels/layers.tsx'
import { MeasurePanel } from './panels/measure.tsx'
import { ReplayPanel } from './panels/replay.tsx'
import { TrainPanel } from './panels/train.tsx'
import { TunePanel } from './panels/tune.tsx'
import type { TabSpec } from './panels.tsx'

export const STUDIO_TABS: readonly TabSpec[] = [
  { tab: 'inspect', label: 'Ask', Panel: InspectPanel },
  { tab: 'events', label: 'Events', Panel: EventsPanel },
  { tab: 'train', label: 'Train', Panel: TrainPanel },
  { tab: 'tune', label: 'Tune', Panel: TunePanel },
  { tab: 'measure', label: 'Measure', Panel: MeasurePanel },
  { tab: 'replay', label: 'Replay', Panel: ReplayPanel },
  { tab: 'layers', label: 'Layers', Panel: LayersPanel },
]
