import { IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { platforms } from '#contract/areas/channels/platforms.ts'
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
import styles from './accounts.module.css'
import { useMayEdit } from '#src/components/use-may-edit.ts'

/** The user's platform accounts, and the platforms available to connect. */
export function AccountsPart() {
  const { t } = useTranslation('platform-accounts')
  const projectId = Number(useParams()['projectId'])
  const accounts = useQuery(q(platforms.accounts, {}))
  const list = usePlatforms()
  const mayEdit = useMayEdit(projectId)

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
      <Card title={t('connect.title')} note={t(mayEdit ? 'connect.note' : 'connect.viewer')}>
        <QueryPart query={list} failed={t('connect.failed')} skeleton={<Skeleton height={420} />}>
          {({ results }) => (
            <RowList label={t('connect.title')}>
              {results
                .filter(({ oauth }) => oauth === 1)
                .map((platform) => (
                  <ConnectRow key={platform.type} projectId={projectId} platform={platform} mayEdit={mayEdit} />
                ))}
            </RowList>
          )}
        </QueryPart>
      </Card>
    </div>
  )
}
