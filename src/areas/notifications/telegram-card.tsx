import { useTranslation } from 'react-i18next'
import { type Preferences, settings } from '#contract/areas/notifications/settings.ts'
import { useWrite } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import styles from './notifications.module.css'

/** The user's Telegram account: connected by a link to the bot that works once. */
export function TelegramCard({ link }: { readonly link: Preferences['telegram'] }) {
  const { t } = useTranslation('notifications')
  const why = useFailureText('notifications')
  const begin = useWrite(settings.linkTelegram)
  const unlink = useWrite(settings.unlinkTelegram)
  const error = begin.error ?? unlink.error
  return (
    <Card title={t('telegram.title')} note={t('telegram.note')}>
      {link ? (
        <RowList label={t('telegram.title')}>
          <Row
            title={link.name}
            about={<DateStamp iso={link.date} />}
            actions={
              <Button look="outline" isBusy={unlink.isPending} onClick={() => unlink.mutate({})}>
                {t('telegram.unlink')}
              </Button>
            }
          />
        </RowList>
      ) : begin.data ? (
        <>
          <p>{t('telegram.open', { bot: begin.data.bot })}</p>
          <div className={styles.actions}>
            <a className={buttonClass()} href={begin.data.url} target="_blank" rel="noreferrer">
              {t('telegram.openBot')}
            </a>
          </div>
        </>
      ) : (
        <div className={styles.actions}>
          <Button isBusy={begin.isPending} onClick={() => begin.mutate({})}>
            {t('telegram.link')}
          </Button>
        </div>
      )}
      <HelpLinkLater article="notifications/telegram-bot" />
      <Note tone="live">{error ? why(error) : ''}</Note>
    </Card>
  )
}
