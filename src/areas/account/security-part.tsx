import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { IconDeviceDesktop, IconDeviceMobile, IconDeviceTablet, IconTerminal2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Factors, type RememberedBrowser, security } from '#contract/areas/account/security.ts'
import type { Output } from '#contract/core/operation.ts'
import { q, useWrite } from '#src/api/query.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Note } from '#src/ui/note.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './account.module.css'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

const AuthenticatorDialog = lazy(async () => ({
  default: (await import('./authenticator-dialog.tsx')).AuthenticatorDialog,
}))

/** New recovery codes; none where the account has some already. */
type Codes = readonly string[]

/** Second factors of the user: authenticator app, recovery codes, remembered browsers. */
export function SecurityPart() {
  const { t } = useTranslation('account', { keyPrefix: 'security' })
  const query = useQuery(q(security.get, {}))
  const [codes, setCodes] = useState<Codes>([])
  return (
    <QueryPart query={query} failed={t('failed')} skeleton={<Skeleton height={420} />}>
      {(factors) => (
        <div className={styles.stack}>
          <AppCard since={factors.authenticator ?? null} onCodes={setCodes} />
          <Passkeys list={factors.passkeys} onCodes={setCodes} />
          {hasFactor(factors) && <CodesCard left={factors.recovery_codes} onCodes={setCodes} />}
          {hasFactor(factors) && <BrowsersCard browsers={factors.browsers} />}
          {codes.length > 0 && <RecoveryCodes codes={codes} onClose={() => setCodes([])} />}
        </div>
      )}
    </QueryPart>
  )
}

const hasFactor = ({ authenticator, passkeys }: Factors): boolean => Boolean(authenticator) || passkeys.length > 0

interface AppCardProps {
  /** Time of the set-up; null: no app. */
  readonly since: NonNullable<Factors['authenticator']> | null
  readonly onCodes: (codes: Codes) => void
}

/** Authenticator app. */
function AppCard({ since, onCodes }: AppCardProps) {
  const { t } = useTranslation('account', { keyPrefix: 'security.app' })
  const why = useFailureText('account')
  const [begun, setBegun] = useState<Output<typeof security.beginAuthenticator> | null>(null)
  const [isAsking, setAsking] = useState(false)
  const [done, setDone] = useState('')
  const begin = useWrite(security.beginAuthenticator, { onSuccess: setBegun })
  const remove = useWrite(security.removeAuthenticator, {
    onSuccess: () => {
      setAsking(false)
      setDone(t('removed'))
    },
  })
  return (
    <Card
      title={t('title')}
      note={t('text')}
      actions={
        since === null ? (
          <Button isBusy={begin.isPending} onClick={() => begin.mutate({})}>
            {t('set')}
          </Button>
        ) : (
          <Button look="outline" onClick={() => setAsking(true)}>
            {t('remove')}
          </Button>
        )
      }
    >
      {since !== null && (
        <p>
          <Badge tone="ok">{t('on')}</Badge> {t('since')} <DateStamp iso={since} />
        </p>
      )}
      <Note tone={begin.error ? 'live' : 'ok'}>{begin.error ? why(begin.error) : done}</Note>
      <HelpLinkLater article="team/second-factor" />
      {begun && (
        <Suspense>
          <AuthenticatorDialog
            {...begun}
            onDone={(codes) => {
              setBegun(null)
              setDone(t('saved'))
              onCodes(codes)
            }}
            onClose={() => setBegun(null)}
          />
        </Suspense>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('ask.title')}
          confirm={t('remove')}
          keep={t('cancel')}
          isDanger
          isBusy={remove.isPending}
          problem={remove.error && why(remove.error)}
          onConfirm={() => remove.mutate({})}
          onClose={() => setAsking(false)}
        >
          <p>{t('ask.text')}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

/** Number of unused recovery codes, and the button that replaces them. */
function CodesCard({ left, onCodes }: { readonly left: number; readonly onCodes: (codes: Codes) => void }) {
  const { t } = useTranslation('account', { keyPrefix: 'security.codes' })
  const why = useFailureText('account')
  const renew = useWrite(security.renewCodes, { onSuccess: ({ recovery_codes }) => onCodes(recovery_codes) })
  return (
    <Card
      title={t('title')}
      note={t('text')}
      actions={
        <Button look="outline" isBusy={renew.isPending} onClick={() => renew.mutate({})}>
          {t('renew')}
        </Button>
      }
    >
      <p>{t('left', { count: left })}</p>
      <Note tone="live">{renew.error && why(renew.error)}</Note>
    </Card>
  )
}

const icons = {
  computer: IconDeviceDesktop,
  phone: IconDeviceMobile,
  tablet: IconDeviceTablet,
  other: IconTerminal2,
}

/** Browsers on which the sign-in needs no second step. */
function BrowsersCard({ browsers }: { readonly browsers: readonly RememberedBrowser[] }) {
  const { t } = useTranslation('account', { keyPrefix: 'security.browsers' })
  return (
    <Card title={t('title')} note={t('text')}>
      {browsers.length === 0 ? (
        <p className={styles.note}>{t('none')}</p>
      ) : (
        <RowList label={t('title')}>
          {browsers.map((browser) => (
            <BrowserRow key={browser.id} browser={browser} />
          ))}
        </RowList>
      )}
    </Card>
  )
}

function BrowserRow({
  browser: { id, browser, system, kind, address, ...dates },
}: {
  readonly browser: RememberedBrowser
}) {
  const { t } = useTranslation('account')
  const why = useFailureText('account')
  const forget = useWrite(security.forgetBrowser)
  const known = browser && system ? t('sessions.device', { browser, system }) : browser || system
  const name = known || t('sessions.unknown')
  const Icon = icons[kind]
  return (
    <Row
      lead={
        <span className={styles.sign} aria-hidden>
          <Icon size={22} stroke={1.6} />
        </span>
      }
      title={name}
      about={
        <span className={styles.facts}>
          <span>
            {t('sessions.seen')} <DateStamp iso={dates.date_use} />
          </span>
          <span>
            {t('security.browsers.until')} <DateStamp iso={dates.date_expire} />
          </span>
          {address && <span>{t('sessions.address', { address })}</span>}
        </span>
      }
      actions={
        <Button
          look="outline"
          isBusy={forget.isPending}
          aria-label={t('security.browsers.forgetOne', { name })}
          onClick={() => forget.mutate({ browser_id: id })}
        >
          {t('security.browsers.forget')}
        </Button>
      }
    >
      {forget.error && <p role="alert">{why(forget.error)}</p>}
    </Row>
  )
}
