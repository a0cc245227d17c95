import type { ReactNode } from 'react'
import styles from './badge.module.css'

export type Tone = 'neutral' | 'accent' | 'ok' | 'warn' | 'live'

// SVG paths of the icons: badges are on most pages, so they load no icon library.
const shapes: Readonly<Record<Tone, string>> = {
  neutral: 'M4 8h8',
  accent: 'M8 4.5 11.5 8 8 11.5 4.5 8Z',
  ok: 'm3.5 8.5 3 3 6-7',
  warn: 'M8 3.5v5.5m0 3v.01',
  live: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
}

interface Props {
  /** Red (`live`) means "on air" only; failures are `warn`. */
  readonly tone?: Tone
  /** Replaces the icon of the tone. */
  readonly icon?: ReactNode
  readonly children: ReactNode
}

/** A state in a word with an icon: colour is never the only signal. */
export function Badge({ tone = 'neutral', icon, children }: Props) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {icon ?? (
        <svg viewBox="0 0 16 16" width={12} height={12} aria-hidden focusable="false">
          <path d={shapes[tone]} />
        </svg>
      )}
      {children}
    </span>
  )
}
