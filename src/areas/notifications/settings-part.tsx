import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { type Preferences, settings } from '#contract/areas/notifications/settings.ts'
import { q, useWrite } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { MatrixCard } from './matrix-card.tsx'
import styles from './notifications.module.css'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { useState } from 'react'
import { canPush, subscribe, type Subscribed } from './push.ts'

interface DevicesCardProps {
  readonly devices: Preferences['devices']
  /** applicationServerKey of the service. */
  readonly pushKey: string
}

/** Browsers of the user that show notifications while the dashboard is closed. */
function DevicesCard({ devices, pushKey }: DevicesCardProps) {
  const { t } = useTranslation('notifications')
  const why = useFailureText('notifications')
  const add = useWrite(settings.addPush)
  const [isAsking, setAsking] = useState(false)
  const [result, setResult] = useState<Subscribed['result'] | null>(null)
  const start = async () => {
    setAsking(true)
    const subscription = await subscribe(pushKey)
    setAsking(false)
    setResult(subscription.result)
    if (subscription.result !== 'subscribed') return
    const { endpoint, p256dh, auth } = subscription
    add.mutate({ endpoint, p256dh, auth, device: nameOf(navigator.userAgent) })
  }
  const problem = add.error ? why(add.error) : result === null || result === 'subscribed' ? '' : t(`push.${result}`)
  return (
    <Card title={t('push.title')} note={t('push.note')}>
      <RowList label={t('push.title')}>
        {devices.map((device) => (
          <Device key={device.token} device={device} />
        ))}
      </RowList>
      {canPush() ? (
        <div className={styles.actions}>
          <Button look="outline" isBusy={isAsking || add.isPending} onClick={() => void start()}>
            {t('push.add')}
          </Button>
        </div>
      ) : (
        <p>{t('push.unsupported')}</p>
      )}
      <Note tone={problem ? 'live' : 'ok'}>{problem || (add.isSuccess && t('push.added'))}</Note>
    </Card>
  )
}

function Device({ device }: { readonly device: Preferences['devices'][number] }) {
  const { t } = useTranslation('notifications')
  const why = useFailureText('notifications')
  const remove = useWrite(settings.delMobileToken)
  const name = device.device || t('push.unnamed')
  return (
    <Row
      title={name}
      about={<DateStamp iso={device.date} />}
      actions={
        <Button
          look="outline"
          isBusy={remove.isPending}
          aria-label={t('push.removeOne', { name })}
          onClick={() => remove.mutate({ token: device.token })}
        >
          {t('push.remove')}
        </Button>
      }
    >
      {remove.error && <p role="alert">{why(remove.error)}</p>}
    </Row>
  )
}

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['YaBrowser/', 'Yandex Browser'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** Name of a browser for the list of devices, for example `Chrome, Android`. */
function nameOf(userAgent: string): string {
  const find = (names: readonly (readonly [string, string])[]) => names.find(([mark]) => userAgent.includes(mark))?.[1]
  return [find(browsers), find(systems)].filter(Boolean).join(', ')
}

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Quiet hours of the user, in a time zone. Without a time there are none. */
function QuietForm({ quiet }: { readonly quiet: Preferences['quiet'] }) {
  const { t } = useTranslation('notifications')
  const why = useFailureText('notifications')
  const zone = quiet?.time_zone ?? ownZone
  const form = useWriteForm({
    op: settings.setPreferences,
    area: 'notifications',
    values: {
      state: quiet ? (quiet.important ? 'stream' : 'all') : 'off',
      from: quiet?.from ?? '22:00',
      to: quiet?.to ?? '08:00',
    },
    inputOf: ({ state, from, to }) => ({
      quiet: state === 'off' ? null : { from, to, time_zone: zone, important: state === 'stream' },
    }),
  })
  const { output, problem } = form
  const isOn = form.values.state !== 'off'
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate>
      <SelectField
        label={t('quiet.state')}
        choices={[
          { value: 'off', label: t('quiet.off') },
          { value: 'stream', label: t('quiet.stream') },
          { value: 'all', label: t('quiet.all') },
        ]}
        {...form.field('state')}
      />
      {isOn && (
        <div className={styles.times}>
          <TextField label={t('quiet.from')} type="time" required {...form.field('from')} />
          <TextField label={t('quiet.to')} type="time" required {...form.field('to')} />
        </div>
      )}
      {isOn && <p className={styles.hint}>{t('quiet.zone', { zone })}</p>}
      <div className={styles.actions}>
        <Button type="submit" isBusy={form.isBusy} isOff={!form.isDirty}>
          {t('quiet.save')}
        </Button>
      </div>
      <Note tone={problem ? 'live' : 'ok'}>{problem ? why(problem) : output ? t('quiet.saved') : ''}</Note>
    </form>
  )
}

/** Settings of the user: categories by channel in this project, and the user's Telegram, browsers and quiet hours. */
export function SettingsPart() {
  const { t } = useTranslation('notifications')
  const projectId = Number(useParams()['projectId'])
  const preferences = useQuery(q(settings.preferences, {}))
  return (
    <div className={styles.parts}>
      <QueryPart query={preferences} failed={t('settings.failed')} skeleton={<Skeleton height={420} />}>
        {(found) => <Parts projectId={projectId} preferences={found} />}
      </QueryPart>
    </div>
  )
}

function Parts({ projectId, preferences }: { readonly projectId: number; readonly preferences: Preferences }) {
  const { t } = useTranslation('notifications')
  const { ready, telegram, devices, quiet, push_key: pushKey } = preferences
  return (
    <>
      <MatrixCard projectId={projectId} ready={ready} />
      {ready.telegram && <TelegramCard link={telegram} />}
      {pushKey !== null && <DevicesCard devices={devices} pushKey={pushKey} />}
      <Card title={t('quiet.title')} note={t('quiet.note')}>
        <QuietForm quiet={quiet} />
      </Card>
    </>
  )
}

/** The user's Telegram account: connected by a link to the bot that works once. */
function TelegramCard({ link }: { readonly link: Preferences['telegram'] }) {
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
