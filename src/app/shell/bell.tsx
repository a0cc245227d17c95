import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { history } from '#contract/areas/notifications/history.ts'
import { q } from '#src/api/query.ts'
import { NotificationItem } from '#src/areas/notifications/notification-item.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { paths } from '#src/lib/paths.ts'
import { unreadStore } from '#src/stores/unread.ts'
import { iconButtonClass } from '#src/ui/button.tsx'
import { popoverClass } from '#src/ui/menu.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './bell.module.css'

/** Rows of the panel. */
const shown = 20
/** Highest number on the bell. */
const countMax = 99

/** Bell with the number of unread notifications and a panel of the latest ones, unread first. */
export default function Bell({ projectId }: { readonly projectId: number | string }) {
  const { t } = useTranslation('notifications')
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  // A server without notifications shows no number.
  const { data } = useQuery({ ...q(history.getStatus, {}), retry: false })
  const count = data?.count_unread ?? 0
  useImportantCount(count)
  useEffect(() => panel.current?.hidePopover(), [pathname])
  const label = t('bell.open', { count })
  return (
    <div className={styles.bell}>
      <button type="button" className={iconButtonClass} popoverTarget={id} aria-label={label} title={label}>
        <IconBell size={19} stroke={1.7} aria-hidden />
        {count > 0 && (
          <span className={styles.count} aria-hidden>
            {count > countMax ? `${countMax}+` : count}
          </span>
        )}
      </button>
      <div
        id={id}
        ref={panel}
        popover="auto"
        className={`${popoverClass} ${styles.panel}`}
        role="region"
        aria-label={t('title')}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        <header className={styles.head}>
          <h2>{t('title')}</h2>
          <Link to={paths.notifications(projectId)}>{t('bell.all')}</Link>
        </header>
        {isOpen && <Latest />}
      </div>
    </div>
  )
}

/** Sets the count in the title of the tab: important notifications only. */
function useImportantCount(unread: number) {
  const important = useQuery({
    ...q(history.list, { status_read: 'unread', category: 'important', limit: 1 }),
    enabled: unread > 0,
    retry: false,
  })
  const count = unread > 0 ? (important.data?.total ?? 0) : 0
  useEffect(() => {
    unreadStore.setState({ important: count })
    return () => unreadStore.setState({ important: 0 })
  }, [count])
}

function Latest() {
  const { t } = useTranslation('notifications')
  const unread = useQuery(q(history.list, { status_read: 'unread', limit: shown }))
  const read = useQuery(q(history.list, { status_read: 'read', limit: shown }))
  return (
    <QueryPart query={unread} failed={t('list.failed')} skeleton={<Skeleton height={240} />}>
      {({ results }) => {
        const rows = [...results, ...(read.data?.results ?? [])].slice(0, shown)
        return rows.length === 0 ? (
          <p className={styles.none}>{read.isPending ? '' : t('bell.none')}</p>
        ) : (
          <RowList label={t('bell.panel')}>
            {rows.map((row) => (
              <NotificationItem key={row._id} row={row} />
            ))}
          </RowList>
        )
      }}
    </QueryPart>
  )
}
