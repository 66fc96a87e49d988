/** Three boxes that overlap: one hits, one can be hurt, one takes up room. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 28 28" fill="none" stroke-width="2" aria-hidden="true">
      <rect x="3" y="10" width="14" height="14" rx="2" stroke="#5ef08c" />
      <rect x="11" y="4" width="14" height="14" rx="2" stroke="#ff5468" stroke-dasharray="5 2.4" />
      <circle cx="14" cy="14" r="3.2" fill="#ffd166" stroke="none" />
    </svg>
  )
}
