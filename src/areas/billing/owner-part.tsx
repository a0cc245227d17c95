import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { type ProjectInfo, projects } from '#contract/areas/projects/projects.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './billing.module.css'

/** A tab for owners: the project is loaded, and other members see the reason why the tab is empty. */
export function OwnerPart({ children }: { readonly children: (project: ProjectInfo['data']) => ReactNode }) {
  const { t } = useTranslation('billing')
  const projectId = Number(useParams()['projectId'])
  const info = useQuery(q(projects.info, { project_id: projectId }))
  return (
    <div className={styles.part}>
      <QueryPart query={info} failed={t('balance.failed')} skeleton={<Skeleton height={210} />}>
        {({ access, data }) =>
          roleCan(access.access_type, 'owner') ? (
            children(data)
          ) : (
            <EmptyState title={t('owner.title')}>{t('owner.text')}</EmptyState>
          )
        }
      </QueryPart>
    </div>
  )
}
