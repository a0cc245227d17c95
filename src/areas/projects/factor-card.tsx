import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { security } from '#contract/areas/projects/security.ts'
import { q, useWrite } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { paths } from '#src/lib/paths.ts'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Switch } from '#src/ui/switch.tsx'
import styles from './projects.module.css'
import { Refusal } from './refusal.tsx'

/** Demand of the project for a second factor; for owners. */
export function FactorCard({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('projects', { keyPrefix: 'factor' })
  const query = useQuery(q(security.get, { project_id: projectId }))
  const set = useWrite(security.set)
  const change = (second_factor: boolean) => set.mutate({ project_id: projectId, second_factor })
  return (
    <Card title={t('title')} note={t('text')}>
      <QueryPart query={query} failed={t('failed')} skeleton={<Skeleton height={60} />}>
        {({ second_factor, members_without }) => (
          <div className={styles.part}>
            <Switch
              label={t('demand')}
              isOn={set.isPending ? !second_factor : second_factor}
              isBusy={set.isPending}
              onChange={change}
            />
            {members_without > 0 && <p className={styles.quiet}>{t('without', { count: members_without })}</p>}
          </div>
        )}
      </QueryPart>
      <Note tone="live">
        {set.error && (
          <>
            <Refusal error={set.error} /> <Link to={paths.account('security')}>{t('setUp')}</Link>
          </>
        )}
      </Note>
    </Card>
  )
}
