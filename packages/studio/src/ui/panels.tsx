import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import type { Studio, Tab } from '../model/studio.ts'

export type TabSpec = {
  readonly tab: Tab
  readonly label: string
  readonly Panel: ComponentType<{ studio: Studio }>
}

export function Panels({ studio, tabs }: { studio: Studio; tabs: readonly TabSpec[] }) {
  const { tab } = studio
  /** On a narrow screen the panel is a drawer. */
  const isOpen = useSignal(false)
  const { Panel } = tabs.find((each) => each.tab === tab.value)!
  return (
    <aside class={`panel ${isOpen.value ? 'is-open' : ''}`}>
      <div class="tabs" role="tablist" aria-label="Panels">
        {tabs.map((each) => (
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
