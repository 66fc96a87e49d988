import type { Binding } from 'hurtbox/module'
import { useEffect, useRef } from 'preact/hooks'
import { nameKey } from '../input/keys.ts'
import type { Studio } from '../model/studio.ts'
import { Icon } from './icons.tsx'
import { commands } from './keymap.ts'

/** All keys: those of the game, from its controls, and those of the studio, from the table that runs them. */
export function Help({ studio }: { studio: Studio }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const { module, view } = studio
  const close = () => void (studio.isHelpOpen.value = false)
  const bindings = Object.values(view.controls.fields as Record<string, Binding>)
  return (
    <dialog ref={dialog} class="help" aria-label="Keys" onClose={close}>
      <header>
        <h2>{module.title}</h2>
        <button type="button" class="icon" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {module.goal !== '' && !view.help.includes(module.goal) && <p>{module.goal}</p>}
      {view.help.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <div class="help-columns">
        <section>
          <h3>Play</h3>
          <dl class="keys">
            {bindings.map((binding) => (
              <div key={binding.label}>
                <dt>{describeKeys(binding)}</dt>
                <dd>{binding.label}</dd>
              </div>
            ))}
          </dl>
          <p class="muted">
            A gamepad works too; on a touch screen sticks and buttons appear. While you play, these keys are the game’s
            and all others the studio’s. Pause, and all keys are the studio’s.
          </p>
        </section>
        <section>
          <h3>Studio</h3>
          <dl class="keys">
            {commands.map(({ label, keys }) => (
              <div key={label}>
                <dt>
                  {keys.split(/\s{2}/).map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{label}</dd>
              </div>
            ))}
          </dl>
          <p class="muted">
            Click a thing to see its columns; Shift-click a second one to ask why they did or did not hit. Wheel or
            pinch zooms, right drag or two fingers pan.
          </p>
        </section>
      </div>
    </dialog>
  )
}

function describeKeys(binding: Binding) {
  const keys = (codes: readonly string[] | undefined) =>
    (codes ?? []).map((code) => <kbd key={code}>{nameKey(code)}</kbd>)
  switch (binding.kind) {
    case 'axis':
      return [
        ...keys(binding.less),
        ...keys(binding.more),
        binding.pointer !== undefined && <kbd key="mouse">mouse</kbd>,
      ]
    case 'button':
    case 'press':
      return [
        ...keys(binding.keys),
        binding.pointer !== undefined && <kbd key="mouse">{nameButton(binding.pointer)}</kbd>,
      ]
    case 'choice':
      return Object.entries(binding.keys ?? {}).flatMap(([name, codes]) => [
        ...keys(codes),
        <small key={name}>{name} </small>,
      ])
    default:
      return <kbd>{binding.pointer === 'hover' ? 'mouse' : nameButton(binding.pointer)}</kbd>
  }
}

function nameButton(button: 'primary' | 'secondary'): string {
  return button === 'primary' ? 'click' : 'right click'
}
