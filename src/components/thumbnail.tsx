import { IconPlayerPlay } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import styles from './thumbnail.module.css'

interface Props {
  readonly label: string
  readonly isPlaying: boolean
  /** The picture; without one the sign alone. */
  readonly children: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
  readonly onClick: () => void
}

/** Picture of a stored file that opens its player. */
export function Thumbnail({ label, isPlaying, children, ref, onClick }: Props) {
  return (
    <button
      ref={ref}
      type="button"
      className={styles.thumbnail}
      aria-label={label}
      title={label}
      aria-expanded={isPlaying}
      onClick={onClick}
    >
      {children}
      <IconPlayerPlay size={20} aria-hidden />
    </button>
  )
}
