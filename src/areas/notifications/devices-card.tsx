import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Preferences, settings } from '#contract/areas/notifications/settings.ts'
import { useWrite } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import styles from './notifications.module.css'
import { canPush, subscribe, type Subscribed } from './push.ts'

interface Props {
  readonly devices: Preferences['devices']
  /** applicationServerKey of the service. */
  readonly pushKey: string
}

/** Browsers of the user that show notifications while the dashboard is closed. */
export function DevicesCard({ devices, pushKey }: Props) {
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
