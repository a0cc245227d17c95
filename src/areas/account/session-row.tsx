import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTablet, IconTerminal2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Session, sessions } from '#contract/areas/account/sessions.ts'
import { useWrite } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useAuth } from '#src/stores/session.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Row } from '#src/ui/row-list.tsx'
import styles from './account.module.css'

const icons = {
  computer: IconDeviceDesktop,
  phone: IconDeviceMobile,
  tablet: IconDeviceTablet,
  other: IconTerminal2,
}

interface Props {
  readonly session: Session
  /** Receives the device name after its session has ended. */
  readonly onClosed: (name: string) => void
}

/** One session: device, place, time, and the button that ends it. */
export function SessionRow({ session, onClosed }: Props) {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const signOut = useAuth((state) => state.signOut)
  const name = useDeviceName()(session)
  const close = useWrite(sessions.close, { onSuccess: () => onClosed(name) })
  const Icon = icons[session.kind]
  const end = () => (session.current ? void signOut() : close.mutate({ session_id: session.id }))
  return (
    <Row
      lead={
        <span className={styles.sign} aria-hidden>
          <Icon size={22} stroke={1.6} />
        </span>
      }
      title={
        <>
          {name} {session.current && <Badge tone="accent">{t('sessions.current')}</Badge>}
        </>
      }
      about={
        <span className={styles.facts}>
          <span>
            {t('sessions.seen')} <DateStamp iso={session.date_seen} />
          </span>
          <span>
            {t('sessions.since')} <DateStamp iso={session.date_create} />
          </span>
          {session.address && <span>{t('sessions.address', { address: session.address })}</span>}
        </span>
      }
      actions={
        <Button look="outline" isBusy={close.isPending} aria-label={t('sessions.closeOne', { name })} onClick={end}>
          {t('sessions.close')}
        </Button>
      }
    >
      {close.error && <p role="alert">{why(close.error)}</p>}
    </Row>
  )
}

/** Device name: type of app, browser and system, as far as known. */
function useDeviceName(): (session: Session) => string {
  const { t } = useTranslation('account')
  return ({ app, browser, system }) => {
    const device = browser && system ? t('sessions.device', { browser, system }) : browser || system
    const kind = app === 'site' ? '' : t(`sessions.app.${app}`)
    return [kind, device].filter(Boolean).join(' · ') || t('sessions.unknown')
  }
}
