import { type ReactNode, useId } from 'react'
import styles from './card.module.css'

interface Props {
  readonly title?: ReactNode
  /** A sentence below the title. */
  readonly note?: ReactNode
  /** Buttons beside the title; `false`: space for one that may come. */
  readonly actions?: ReactNode
  /** `quiet` has no background. */
  readonly look?: 'plain' | 'quiet' | 'danger'
  readonly children?: ReactNode
}

/** A part of a page in a frame: a landmark named by its title. A form stands inside it. */
export function Card({ title, note, actions, look = 'plain', children }: Props) {
  const id = useId()
  return (
    <section className={styles.card} data-look={look} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <header className={styles.head} data-room={actions === false || undefined}>
          <h2 id={id}>{title}</h2>
          {actions}
          {note !== undefined && <p className={styles.note}>{note}</p>}
        </header>
      )}
      {children}
    </section>
  )
}

interface PartProps {
  readonly title: ReactNode
  /** A sentence below the title. */
  readonly note?: ReactNode
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** A part of a card below a line: a landmark named by its title. */
export function CardPart({ title, note, actions, children }: PartProps) {
  const id = useId()
  return (
    <section className={styles.part} aria-labelledby={id}>
      <header className={styles.head}>
        <h3 id={id}>{title}</h3>
        {actions}
        {note !== undefined && <p className={styles.note}>{note}</p>}
      </header>
      {children}
    </section>
  )
}

/** Cards side by side, as many as fit. */
export function Cards({ children }: { readonly children: ReactNode }) {
  return <div className={styles.cards}>{children}</div>
}
