import { useSignal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Studio } from '../model/studio.ts'
import { messageOf } from '../words.ts'
import { PANELS, type PanelModule, type PanelSpec } from './index.ts'

/** What has been loaded, so that a tab that was open before is there at once. */
const loaded = new Map<string, PanelModule>()

export function Panels({ studio }: { studio: Studio }) {
  const { tab } = studio
  /** On a narrow screen the panel is a drawer. */
  const isOpen = useSignal(false)
  const offered = PANELS.filter(({ offered }) => offered?.(studio) !== false)
  const open = offered.find(({ id }) => id === tab.value) ?? offered[0]
  return (
    <aside class={`panel ${isOpen.value ? 'is-open' : ''}`}>
      <div class="tabs" role="tablist" aria-label="Panels">
        {offered.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={open.id === id}
            aria-controls="panel"
            onClick={() => {
              isOpen.value = tab.value !== id || !isOpen.value
              tab.value = id
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <div class="panel-body" id="panel" role="tabpanel" aria-labelledby={`tab-${open.id}`}>
        <OpenPanel key={open.id} id={open.id} load={open.load} studio={studio} />
      </div>
    </aside>
  )
}

function OpenPanel({ id, load, studio }: { id: string; load: PanelSpec['load']; studio: Studio }) {
  const place = useRef<HTMLDivElement>(null)
  const [module, setModule] = useState(loaded.get(id))
  const [failure, setFailure] = useState('')
  useEffect(() => {
    if (module !== undefined) return
    load().then(
      (arrived) => {
        loaded.set(id, arrived)
        setModule(arrived)
      },
      (error) => setFailure(messageOf(error)),
    )
  }, [])
  useEffect(() => {
    if (module?.css !== undefined && place.current !== null) addStyles(place.current.getRootNode(), id, module.css)
  }, [module])
  if (failure !== '') return <p class="failure">This panel could not be loaded. ({failure})</p>
  return (
    <div ref={place} data-panel={id}>
      {module === undefined ? <p class="muted">Loading…</p> : <module.Panel studio={studio} />}
    </div>
  )
}

const styled = new WeakMap<Node, Set<string>>()

/** Once per page or shadow root. A sheet and no element: pages whose policy allows no inline styles allow this. */
function addStyles(root: Node, id: string, css: string): void {
  const known = styled.get(root) ?? new Set()
  styled.set(root, known)
  if (known.has(id) || !(root instanceof Document || root instanceof ShadowRoot)) return
  known.add(id)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
}
