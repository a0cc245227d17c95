import { IconApps } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Row } from '#src/ui/row-list.tsx'
import styles from './app-row.module.css'
import { useScopeText } from './use-scope-text.ts'

interface Props {
  readonly name: string
  /** URL of its picture; empty: none. */
  readonly picture: string
  readonly scopes: readonly string[]
  /** Details below the scopes, one element each. */
  readonly facts: ReactNode
  readonly actions: ReactNode
}

/** Row of a third-party app in a list. */
export function AppRow({ name, picture, scopes, facts, actions }: Props) {
  const scopeText = useScopeText()
  return (
    <Row
      lead={
        picture ? (
          <img className={styles.sign} src={picture} alt="" width={38} height={38} />
        ) : (
          <span className={styles.sign} aria-hidden>
            <IconApps size={22} stroke={1.6} />
          </span>
        )
      }
      title={name}
      about={
        <>
          <div>{scopeText(scopes)}</div>
          <div className={styles.facts}>{facts}</div>
        </>
      }
      actions={actions}
    />
  )
}
