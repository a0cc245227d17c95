/** The logo: one line in, three out. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden focusable="false">
      <rect width="64" height="64" rx="15" fill="#5b5bd6" />
      <g fill="none" stroke="#fff" strokeWidth="4.5" strokeLinecap="round" strokeLinejoin="round">
        <path d="M14 32h12" />
        <path d="M26 32c8 0 8-14 16-14h8" />
        <path d="M26 32h24" opacity=".75" />
        <path d="M26 32c8 0 8 14 16 14h8" opacity=".5" />
      </g>
      <circle cx="14" cy="32" r="5" fill="#fff" />
    </svg>
  )
}
