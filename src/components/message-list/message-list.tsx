import { type ReactNode, useEffect, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import type { AgainOf, Allowed, ActsOf, OnAct } from './acts.ts'
import { ListRow } from './list-row.tsx'
import styles from './message-list.module.css'
import type { MessageLog } from './message-log.ts'
import { filtered, maxRows, newer } from './rows.ts'
import { rowElement, useListKeys } from './use-list-keys.ts'
import { useHold } from './use-hold.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

export interface MessageListProps {
  readonly log: MessageLog
  /** Accessible name. */
  readonly label: string
  /** Filter; null: all rows. */
  readonly fits: ((message: ChatMessage) => boolean) | null
  /** Platform of the filter: notes of others are left out. Absent or '': all. */
  readonly platform?: string
  readonly isMention: (message: ChatMessage) => boolean
  readonly actsOf: ActsOf
  readonly onAct: OnAct
  /** Shows why a key did nothing. */
  readonly onMissing: (reason: string) => void
  /** The page shows people: without, that act is left out. */
  readonly hasPerson?: boolean
  /** Sends a message again to one target; absent: never. */
  readonly againOf?: AgainOf | undefined
  /** Loads older messages; absent: there are none. */
  readonly onOlder?: (() => void) | undefined
  readonly isLoadingOlder?: boolean
  readonly titleOf: (platform: string) => string
  /** Shown without rows. */
  readonly empty: ReactNode
}

const nothing: Allowed = { acts: [], missing: {} }

/**
 * Messages of all platforms, newest at the end. The list follows new messages until the user points at it, has focus in
 * it, selects text or scrolls up: then no row moves, and a button shows the number of new messages.
 */
export function MessageList(props: MessageListProps) {
  const {
    log,
    label,
    fits,
    isMention,
    onAct,
    onMissing,
    againOf,
    onOlder,
    isLoadingOlder = false,
    titleOf,
    empty,
  } = props
  const { hasPerson = true, platform = '' } = props
  const actsOf: ActsOf = (message) => withoutPerson(props.actsOf(message), hasPerson)
  const { t } = useTranslation('chat-list')
  const language = useLanguage()
  const keysId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const { live, held } = useSyncExternalStore(log.subscribe, log.view)
  const hold = useHold(log, scroller)
  const rows = useMemo(() => {
    const all = held ?? live
    return fits ? filtered(all, fits, platform) : all
  }, [held, live, fits, platform])
  const fresh = useMemo(() => (held ? newer(live, held, fits ?? (() => true)) : 0), [live, held, fits])
  const parents = useMemo(
    () => new Map(rows.flatMap((row) => (row.kind === 'message' ? [[row.key, row.message]] : []))),
    [rows],
  )
  // The row with the focus or under the pointer: the only one with buttons.
  const [active, setActive] = useState<string | null>(null)

  const { items, attach, measure, toEnd, toIndex } = useVirtualRows(rows, active, scroller, held === null)
  const follow = () => {
    setActive(null)
    if (scroller.current?.contains(document.activeElement)) scroller.current.focus({ preventScroll: true })
    hold.release()
    // After the rows that arrived meanwhile are in the list.
    requestAnimationFrame(() => toEnd())
  }
  const onKeyDown = useListKeys({ rows, active, setActive, scroller, toIndex, follow, actsOf, onAct, onMissing, t })
  useEffect(() => {
    toEnd()
  }, [toEnd, fits, log])

  return (
    <div className={styles.frame}>
      {onOlder && rows.length > 0 && (
        <button type="button" className={styles.older} aria-busy={isLoadingOlder} onClick={onOlder}>
          {t(rows.length >= maxRows ? 'olderFull' : isLoadingOlder ? 'olderLoading' : 'older')}
        </button>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a composite: rows get the focus by arrow keys */}
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={label}
        aria-describedby={keysId}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and arrow keys move between its rows
        tabIndex={0}
        className={styles.scroller}
        onKeyDown={onKeyDown}
        onPointerLeave={() => setActive((row) => (row !== null && hasFocus(scroller.current, row) ? row : null))}
      >
        <ol ref={attach} className={styles.rows}>
          {items.map(({ index, key, size }) => {
            const row = rows[index]
            return (
              row && (
                <ListRow
                  key={key}
                  {...{ row, index, t, language, titleOf, onAct, againOf }}
                  count={rows.length}
                  // A row keeps its height when its message is deleted below the pointer.
                  minPx={held && row.kind === 'message' && row.message.deleted ? size : undefined}
                  measure={measure}
                  isMention={row.kind === 'message' && isMention(row.message)}
                  parent={row.kind === 'message' ? parents.get(row.message.reply_to?.event_id ?? '') : undefined}
                  allowed={row.kind === 'message' && row.key === active ? actsOf(row.message) : nothing}
                  isActive={row.key === active}
                  onActive={setActive}
                  onMenu={hold.set}
                />
              )
            )
          })}
        </ol>
      </div>
      {!rows.some(({ kind }) => kind === 'message') && <div className={styles.empty}>{empty}</div>}
      <p id={keysId} className="visually-hidden">
        {t('keys')}
      </p>
      {fresh > 0 && (
        <button type="button" className={styles.fresh} onClick={follow}>
          {t('fresh', { count: fresh })}
        </button>
      )}
    </div>
  )
}

const withoutPerson = ({ acts, missing }: Allowed, hasPerson: boolean): Allowed => ({
  acts: hasPerson ? acts : acts.filter(({ name }) => name !== 'person'),
  missing,
})

const hasFocus = (scroller: HTMLElement | null, key: string): boolean =>
  rowElement(scroller, key)?.contains(document.activeElement) ?? false
