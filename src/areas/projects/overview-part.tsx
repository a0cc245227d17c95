import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { projects } from '#contract/areas/projects/projects.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Facts } from './facts.tsx'
import { nameOf } from './person.tsx'
import styles from './projects.module.css'
import { RenameDialog } from './rename-dialog.tsx'

/** Facts of the project; owners can rename it. */
export function OverviewPart() {
  const { t } = useTranslation('projects')
  const projectId = Number(useParams()['projectId'])
  const info = useQuery(q(projects.info, { project_id: projectId }))
  const [isRenaming, setRenaming] = useState(false)
  const isOwner = info.data !== undefined && roleCan(info.data.access.access_type, 'owner')
  return (
    <div className={styles.part}>
      <Card
        title={t('facts.title')}
        actions={
          isOwner && (
            <Button look="outline" onClick={() => setRenaming(true)}>
              {t('rename.button')}
            </Button>
          )
        }
      >
        <QueryPart query={info} failed={t('facts.failed')} skeleton={<Skeleton height={380} />}>
          {(data) => <Facts info={data} />}
        </QueryPart>
      </Card>
      {isRenaming && info.data && (
        <RenameDialog projectId={projectId} name={nameOf(info.data.data)} onClose={() => setRenaming(false)} />
      )}
    </div>
  )
}
