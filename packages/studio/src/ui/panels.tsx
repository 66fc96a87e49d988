import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { Studio, Tab } from '../model/studio.ts'
import { EventsPanel } from './panels/events.tsx'
import { InspectPanel } from './panels/inspect.tsx'
import { LayersPanel } from './panels/layers.tsx'
import { MeasurePanel } from './panels/measure.tsx'
import { ReplayPanel } from './panels/replay.tsx'
import { TunePanel } from './panels/tune.tsx'

const TABS: readonly {
  readonly tab: Tab
  readonly label: string
  readonly Panel: ComponentType<{ studio: Studio }>
}[] = [
  { tab: 'inspect', label: 'Ask', Panel: InspectPanel },
  { tab: 'events', label: 'Events', Panel: EventsPanel },
  { tab: 'tune', label: 'Tune', Panel: TunePanel },
  { tab: 'measure', label: 'Measure', Panel: MeasurePanel },
  { tab: 'replay', label: 'Replay', Panel: ReplayPanel },
  { tab: 'layers', label: 'Layers', Panel: LayersPanel },
]

export function Panels({ studio }: { studio: Studio }) {
  const { tab } = studio
  /** On a narrow screen the panel is a drawer. */
  const isOpen = useSignal(false)
  const { Panel } = TABS.find((each) => each.tab === tab.value)!
  return (
    <aside class={`panel ${isOpen.value ? 'is-open' : ''}`}>
      <div class="tabs" role="tablist" aria-label="Panels">
        {TABS.map((each) => (
          <button
            key={each.tab}
            type="button"
            role="tab"
            id={`tab-${each.tab}`}
            aria-selected={tab.value === each.tab}
            aria-controls="panel"
            onClick={() => {
              isOpen.value = tab.value !== each.tab || !isOpen.value
              tab.value = each.tab
            }}
          >
            {each.label}
          </button>
        ))}
      </div>
      <div class="panel-body" id="panel" role="tabpanel" aria-labelledby={`tab-${tab.value}`}>
        <Panel studio={studio} />
      </div>
    </aside>
  )
}
