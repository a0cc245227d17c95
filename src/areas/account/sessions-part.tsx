import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Session, sessions } from '#contract/areas/account/sessions.ts'
import { q, useWrite } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './account.module.css'
import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTablet, IconTerminal2 } from '@tabler/icons-react'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useAuth } from '#src/stores/session.ts'
import { Badge } from '#src/ui/badge.tsx'

const icons = {
  computer: IconDeviceDesktop,
  phone: IconDeviceMobile,
  tablet: IconDeviceTablet,
  other: IconTerminal2,
}

interface SessionRowProps {
  readonly session: Session
  /** Receives the device name after its session has ended. */
  readonly onClosed: (name: string) => void
}

/** One session: device, place, time, and the button that ends it. */
function SessionRow({ session, onClosed }: SessionRowProps) {
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

/** Sessions of the user, and the buttons that end them. */
export function SessionsPart() {
  const { t } = useTranslation('account')
  const query = useQuery(q(sessions.list, {}))
  return (
    <QueryPart query={query} failed={t('sessions.failed')} skeleton={<Skeleton height={240} />}>
      {({ results }) => <SessionList list={results} />}
    </QueryPart>
  )
}

function SessionList({ list }: { readonly list: readonly Session[] }) {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const [isAsking, setAsking] = useState(false)
  const [done, setDone] = useState('')
  const closeOthers = useWrite(sessions.closeOthers, {
    onSuccess: ({ closed }) => {
      setAsking(false)
      setDone(t('sessions.closedOthers', { count: closed }))
    },
  })
  const others = list.filter(({ current }) => !current).length
  // The current session comes first, regardless of its last activity.
  const sorted = list.toSorted((a, b) => Number(b.current) - Number(a.current))

  return (
    <Card
      title={t('sessions.title')}
      note={t('sessions.text')}
      actions={
        others > 0 && (
          <Button look="outline" onClick={() => setAsking(true)}>
            {t('sessions.closeOthers')}
          </Button>
        )
      }
    >
      <Note tone="ok">{done}</Note>
      <RowList label={t('sessions.title')}>
        {sorted.map((session) => (
          <SessionRow key={session.id} session={session} onClosed={(name) => setDone(t('sessions.closed', { name }))} />
        ))}
      </RowList>
      {isAsking && (
        <ConfirmDialog
          title={t('sessions.ask.title')}
          confirm={t('sessions.closeOthers')}
          keep={t('sessions.ask.keep')}
          isBusy={closeOthers.isPending}
          problem={closeOthers.error && why(closeOthers.error)}
          onConfirm={() => closeOthers.mutate({})}
          onClose={() => setAsking(false)}
        >
          <p>{t('sessions.ask.text', { count: others })}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
