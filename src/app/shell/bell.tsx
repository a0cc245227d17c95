import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { history } from '#contract/areas/notifications/history.ts'
import { q, useWrite } from '#src/api/query.ts'
import { NotificationItem } from '#src/areas/notifications/notification-item.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { useStatus } from '#src/components/use-status.ts'
import { paths } from '#src/lib/paths.ts'
import { useVisible } from '#src/lib/use-visible.ts'
import { unreadStore } from '#src/stores/unread.ts'
import { Button, iconButtonClass } from '#src/ui/button.tsx'
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
  const readAll = useWrite(history.setAllCabinetRead)
  useImportantCount(count)
  useWatchedRead(projectId, count)
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
          {isOpen && (
            <Button look="quiet" isBusy={readAll.isPending} isOff={count === 0} onClick={() => readAll.mutate({})}>
              {t('list.readAll')}
            </Button>
          )}
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

/** Kinds about the stream of a running broadcast. */
const watchable: ReadonlySet<string> = new Set([
  'broadcast_started',
  'broadcast_connecting_lost',
  'broadcast_not_audio',
  'broadcast_bitrate_exceeded',
  'broadcast_unsupported_codec',
  'channel_not_seen',
  'stream_unhealthy',
  'start_channel_failed',
  'start_channel_success',
])

/** Marks as read what the reader is watching: notifications about the running broadcast while its page or Home is in sight. */
function useWatchedRead(projectId: number | string, unread: number) {
  const { pathname } = useLocation()
  const isVisible = useVisible()
  const { data: status } = useStatus(Number(projectId), 10_000)
  const broadcast = status && status.kind !== 'inactive' ? status : null
  const isWatching =
    isVisible &&
    broadcast !== null &&
    [paths.home(projectId), paths.broadcast(projectId, broadcast.broadcast_id)].includes(pathname)
  const { data } = useQuery({
    ...q(history.list, { status_read: 'unread', project_id: Number(projectId), limit: shown }),
    enabled: isWatching && unread > 0,
    retry: false,
  })
  const { mutate, isPending } = useWrite(history.read)
  useEffect(() => {
    if (!isWatching || isPending) return
    // Those of an earlier broadcast were not seen.
    const seen = (data?.results ?? []).filter(
      ({ name, date_create, status_read }) =>
        !status_read && watchable.has(name) && date_create >= broadcast.date_start,
    )
    if (seen.length > 0) mutate({ notify_history_ids: seen.map(({ _id }) => _id) })
  }, [data, isWatching, isPending, broadcast, mutate])
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
