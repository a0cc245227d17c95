import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { Provenance } from '#contract/core/operation.ts'
import { anchorOf } from './catalogue.ts'
import styles from './reference.module.css'
import { RouteName } from './route-name.tsx'

interface Props {
  readonly route: string
  readonly name: string | undefined
  /** Absent for an operation that is not served. */
  readonly provenance?: Provenance
  /** Rendered when the panel is opened for the first time. */
  readonly children: ReactNode
}

/** Collapsible panel of one operation. A URL with its anchor opens it. */
export function OperationPanel({ route, name, provenance, children }: Props) {
  const { t } = useTranslation('reference')
  const anchor = anchorOf(route)
  const isTarget = useLocation().hash === `#${anchor}`
  const [isOpen, setOpen] = useState(isTarget)
  const ref = useRef<HTMLDetailsElement>(null)

  useLayoutEffect(() => {
    const details = ref.current
    if (!isTarget || !details) return
    details.open = true
    details.scrollIntoView({ block: 'start' })
  }, [isTarget])

  return (
    <details
      ref={ref}
      id={anchor}
      className={styles.operation}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <h3 className={styles.operationName}>
          <RouteName route={route} />
        </h3>
        {name && (
          <span lang="en" className={styles.muted}>
            {name}
          </span>
        )}
        <span className={styles.provenance} data-provenance={provenance ?? 'waiting'}>
          {t(`provenance.${provenance ?? 'waiting'}`)}
        </span>
      </summary>
      {isOpen && <div className={styles.body}>{children}</div>}
    </details>
  )
}
