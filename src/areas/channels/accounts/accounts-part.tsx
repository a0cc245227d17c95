import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { platforms } from '#contract/areas/channels/platforms.ts'
import type { Platform } from '#contract/entities/channel.ts'
import { accountsOf } from '#contract/platforms/platforms.ts'
import { q } from '#src/api/query.ts'
import { usePlatforms } from '#src/components/use-platform.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { RowList } from '#src/ui/row-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { AccountRow } from './account-row.tsx'
import { ConnectedNote } from './accounts-connected-note.tsx'
import { ConnectRow } from './accounts-connect-row.tsx'
import { NotConnectable } from './not-connectable.tsx'
import styles from './accounts.module.css'
import { useMayEdit } from '#src/components/use-may-edit.ts'

/** The user's platform accounts, and the platforms available to connect. */
export function AccountsPart() {
  const { t } = useTranslation('platform-accounts')
  const projectId = Number(useParams()['projectId'])
  const accounts = useQuery(q(platforms.accounts, {}))
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
      <Card title={t('connect.title')} note={isAny && t(mayEdit ? 'connect.note' : 'connect.viewer')}>
        <QueryPart query={list} failed={t('connect.failed')} skeleton={<Skeleton height={420} />}>
          {({ results }) => <Platforms projectId={projectId} platforms={results} mayEdit={mayEdit} />}
        </QueryPart>
      </Card>
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
