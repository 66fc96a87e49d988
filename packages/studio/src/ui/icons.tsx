/** A few drawn signs: the ones fonts have differ everywhere, or are missing. */

const PATHS = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M6 4.5h4v15H6zM14 4.5h4v15h-4z',
  forward: 'M9 5l7 7-7 7',
  back: 'M15 5l-7 7 7 7',
  nextHit: 'M5 5l7 7-7 7M18 4v3M18 10.5v3M18 17v3M15 12h6',
  previousHit: 'M19 5l-7 7 7 7M6 4v3M6 10.5v3M6 17v3M3 12h6',
  restart: 'M4 12a8 8 0 1 0 2.6-5.9M4 4v4.5h4.5',
  dice: 'M5 5h14v14H5zM9 9h.01M15 9h.01M12 12h.01M9 15h.01M15 15h.01',
  close: 'M6 6l12 12M18 6L6 18',
  loud: 'M4 9v6h4l5 4V5L8 9zM16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12',
  muted: 'M4 9v6h4l5 4V5L8 9zM17 9.5l5 5M22 9.5l-5 5',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.5a3.3 3.3 0 0 1 0 6M18 14.5c2.3.7 3.6 2.6 3.6 5.5',
} as const

type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  const isFilled = name === 'play' || name === 'pause'
  return (
    <svg
      class="sign"
      width="18"
      height="18"
      viewBox="0 0 24 24"
      fill={isFilled ? 'currentColor' : 'none'}
      stroke={isFilled ? 'none' : 'currentColor'}
      stroke-width="2.2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}

/** A button with a sign on it; `title` also says its key. */
export function IconButton({
  icon,
  label,
  title,
  onClick,
}: {
  icon: IconName
  label: string
  title: string
  onClick: () => void
}) {
  return (
    <button type="button" class="icon" aria-label={label} title={title} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}
