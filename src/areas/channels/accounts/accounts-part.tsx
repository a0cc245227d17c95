import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { platforms } from '#contract/areas/channels/platforms.ts'
import type { Platform } from '#contract/entities/channel.ts'
import { accountKinds, type AccountPlatform, accountsOf, factsOf } from '#contract/platforms/platforms.ts'
import { q, useWrite } from '#src/api/query.ts'
import { usePlatforms } from '#src/components/use-platform.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Row, RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { AccountRow } from './account-row.tsx'
import styles from './accounts.module.css'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { ConnectButton } from './connect-button.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { formatList } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { useDeferredValue, useEffect, useRef } from 'react'
import { Note } from '#src/ui/note.tsx'
import { Refusal } from '#src/areas/channels/refusal.tsx'

/** The user's platform accounts, and the platforms available to connect. */
export function AccountsPart() {
  const { t } = useTranslation('platform-accounts')
  const projectId = Number(useParams()['projectId'])
  const accounts = useQuery(q(platforms.accounts, {}))
  // In one render with the accounts, below which the platforms stand.
  const isWaiting = useDeferredValue(accounts.isPending)
  const list = usePlatforms()
  const mayEdit = useMayEdit(projectId)
  const isAny = list.data?.results.some((platform) => platform.oauth_ready === 1) ?? true

  return (
    <div className={styles.part}>
      <ConnectedNote projectId={projectId} />
      <Card title={t('title')} note={t('note')}>
        <QueryPart query={accounts} failed={t('failed')} skeleton={<Skeleton height={132} />}>
          {({ results }) =>
            results.length > 0 ? (
              <RowList label={t('title')}>
                {results.map((account) => (
                  <AccountRow key={account.id} projectId={projectId} account={account} mayEdit={mayEdit} />
                ))}
              </RowList>
            ) : (
              <EmptyState icon={<IconPlugConnected size={26} />} title={t('empty.title')}>
                {t('empty.text')}
              </EmptyState>
            )
          }
        </QueryPart>
      </Card>
      {!isWaiting && (
        <Card title={t('connect.title')} note={isAny && t(mayEdit ? 'connect.note' : 'connect.viewer')}>
          <QueryPart query={list} failed={t('connect.failed')} skeleton={<Skeleton height={420} />}>
            {({ results }) => <Platforms projectId={projectId} platforms={results} mayEdit={mayEdit} />}
          </QueryPart>
        </Card>
      )}
    </div>
  )
}

interface PlatformsProps {
  readonly projectId: number
  readonly platforms: readonly Platform[]
  readonly mayEdit: boolean
}

/** Platforms whose accounts can be connected, then those without a registration of this server. */
function Platforms({ projectId, platforms: all, mayEdit }: PlatformsProps) {
  const { t } = useTranslation('platform-accounts')
  const withAccounts = all.filter(({ oauth }) => oauth === 1)
  const ready = withAccounts.flatMap((platform) => {
    const way = platform.oauth_ready === 1 ? accountsOf(platform.type)[0] : undefined
    return way ? [{ platform, way }] : []
  })
  const missing = withAccounts.filter((platform) => !ready.some((one) => one.platform === platform))
  return (
    <>
      {ready.length > 0 && (
        <RowList label={t('connect.title')}>
          {ready.map((one) => (
            <ConnectRow key={one.platform.type} projectId={projectId} mayEdit={mayEdit} {...one} />
          ))}
        </RowList>
      )}
      {missing.length > 0 && <NotConnectable projectId={projectId} platforms={missing} />}
    </>
  )
}

interface ConnectRowProps {
  readonly projectId: number
  readonly platform: Platform
  readonly way: AccountPlatform
  readonly mayEdit: boolean
}

/** Button to connect an account of a platform. */
function ConnectRow({ projectId, platform: { type, title }, way, mayEdit }: ConnectRowProps) {
  const { t } = useTranslation('platform-accounts')
  return (
    <Row
      lead={<PlatformIcon type={type} />}
      title={title}
      about={t(`connect.${factsOf(type).places ? 'places' : 'channel'}`)}
      actions={
        <ConnectButton
          projectId={projectId}
          platform={way}
          label={t('connect.named', { platform: title })}
          look="outline"
          isOff={!mayEdit}
        >
          {t('connect.button')}
        </ConnectButton>
      }
    />
  )
}

interface NotConnectableProps {
  readonly projectId: number
  /** Platforms without a registration of this server; at least one. */
  readonly platforms: readonly Platform[]
}

/** Platforms whose accounts this server cannot connect: a sentence, and the missing settings for operators. */
function NotConnectable({ projectId, platforms: missing }: NotConnectableProps) {
  const { t } = useTranslation('platform-accounts')
  const language = useLanguage()
  const { isOperator } = useInstallation()
  const names = missing.map(({ title }) => title)
  return (
    <div className={styles.act}>
      <p>{t('connect.off', { platforms: formatList(names, language) })}</p>
      <Link to={paths.channels(projectId, 'add')}>{t('connect.add')}</Link>
      {isOperator && (
        <details className={styles.setUp}>
          <summary>{t('connect.setUp')}</summary>
          <RowList label={t('connect.setUp')}>
            {missing.map(({ type, title, missing_settings: unset = [] }) => (
              <Row
                key={type}
                lead={<PlatformIcon type={type} />}
                title={title}
                about={unset.length > 0 && t('connect.missing', { settings: formatList(unset, language) })}
              />
            ))}
          </RowList>
        </details>
      )}
    </div>
  )
}

/** Completes a platform connection as the signed-in user, and shows its outcome. */
function ConnectedNote({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('platform-accounts')
  const { isPending, data, error } = useReturn()
  if (isPending) return <Note>{t('connected.wait')}</Note>
  if (error) {
    return (
      <Note tone="warn">
        {t('connected.failed')} <Refusal projectId={projectId} error={error} />
      </Note>
    )
  }
  if (!data) return <Note />
  const { account, platform, channel_id: channelId, active } = data
  const about = channelId === null ? 'places' : active ? 'channel' : 'channelOff'
  return (
    <Note tone="ok">
      {t('connected.done', { name: account.name, platform: accountKinds[platform].title })} {t(`connected.${about}`)}{' '}
      {channelId !== null && <Link to={paths.channel(projectId, channelId)}>{t('connected.settings')}</Link>}
    </Note>
  )
}

/** Completes the connection once when the browser returns from a platform, and removes its parameters from the URL. */
function useReturn() {
  const navigate = useNavigate()
  const { hash, pathname, search } = useLocation()
  const finish = useWrite(platforms.finish)
  const { mutate } = finish
  const state = new URLSearchParams(hash.slice(1)).get('connect')
  const seen = useRef<string | null>(null)
  useEffect(() => {
    if (state === null || seen.current === state) return
    seen.current = state
    mutate({ state })
    void navigate({ pathname, search }, { replace: true, preventScrollReset: true })
  }, [state, mutate, navigate, pathname, search])
  return finish
}
