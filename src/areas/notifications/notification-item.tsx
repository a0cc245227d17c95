import { IconAlertTriangle, IconBell, IconCircleX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { history, type NotifyRow } from '#contract/areas/notifications/history.ts'
import type { NotifyAction, NotifyLevel } from '#contract/entities/notification.ts'
import { useWrite } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { Row } from '#src/ui/row-list.tsx'
import styles from './notifications.module.css'

const icons: Readonly<Record<NotifyLevel, typeof IconBell>> = {
  debug: IconBell,
  info: IconBell,
  warning: IconAlertTriangle,
  error: IconCircleX,
}

/** One notification: level, text, time, buttons, and deliveries that failed. */
export function NotificationItem({ row }: { readonly row: NotifyRow }) {
  const { t } = useTranslation('notifications')
  const why = useFailureText('notifications')
  const language = useLanguage()
  const { list } = usePunctuation()
  const read = useWrite(history.read)
  const { title, text } = inLanguage(row.text, language) ?? { title: row.name, text: '' }
  const markRead = () => {
    if (!row.status_read) read.mutate({ notify_history_ids: [row._id] })
  }
  const failed = row.deliveries.filter(({ state }) => state === 'failed').map(({ channel }) => t(`channel.${channel}`))
  const Icon = icons[row.level]
  return (
    <Row
      name={row._id}
      lead={
        <span className={styles.sign} data-level={row.level} aria-hidden>
          <Icon size={20} stroke={1.7} />
        </span>
      }
      title={
        <span className={styles.title} data-unread={!row.status_read || undefined}>
          {row.link ? (
            <Link to={row.link} onClick={markRead}>
              {title}
            </Link>
          ) : (
            title
          )}
          {!row.status_read && <span className="visually-hidden">{t('item.unread')}</span>}
        </span>
      }
      about={
        <span className={styles.about}>
          {text && <span>{text}</span>}
          <DateStamp iso={row.date_create} />
          {failed.length > 0 && (
            <span className={styles.failed}>{t('item.failed', { channels: failed.join(list) })}</span>
          )}
        </span>
      }
      actions={
        <>
          <Answers row={row} />
          {!row.status_read && (
            <Button look="outline" isBusy={read.isPending} aria-label={t('item.readOne', { title })} onClick={markRead}>
              {t('item.read')}
            </Button>
          )}
        </>
      }
    >
      {read.error && <p role="alert">{why(read.error)}</p>}
    </Row>
  )
}

/** Buttons that answer an invitation, or its answer; external links. */
function Answers({ row }: { readonly row: NotifyRow }) {
  const why = useFailureText('notifications')
  const language = useLanguage()
  const run = useWrite(history.runAction)
  const actions = Object.values(row.actions)
    .flat()
    // The title of the row leads to `cabinet_link`. Links of another scheme are not offered.
    .filter(({ name, value }) => name !== 'cabinet_link' && (!name.endsWith('link') || /^https?:/.test(value)))
  const done = actions.find((action) => action.done)
  if (done) return <span className={styles.done}>{inLanguage(done.text, language)?.complited_title}</span>
  const textOf = (action: NotifyAction) => inLanguage(action.text, language)?.title ?? action.name
  return (
    <>
      {actions.map((action) =>
        action.name.endsWith('link') ? (
          <a key={action.name} className={buttonClass('outline')} href={action.value} target="_blank" rel="noreferrer">
            {textOf(action)}
          </a>
        ) : (
          <Button
            key={action.name}
            look={action.type === 'primary' ? 'filled' : 'outline'}
            isBusy={run.isPending && run.variables?.action_name === action.name}
            isOff={run.isPending}
            onClick={() =>
              run.mutate({ notify_history_id: row._id, action_name: action.name, group_id: action.group_id })
            }
          >
            {textOf(action)}
          </Button>
        ),
      )}
      {run.error && <p role="alert">{why(run.error)}</p>}
    </>
  )
}

/** Returns the text in a language, else in English. */
function inLanguage<T extends { readonly language_iso: string }>(texts: readonly T[], language: string): T | undefined {
  return texts.find((one) => one.language_iso === language) ?? texts.find((one) => one.language_iso === 'en')
}
