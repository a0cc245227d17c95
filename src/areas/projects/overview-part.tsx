import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { projects } from '#contract/areas/projects/projects.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Facts } from './facts.tsx'
import { Members } from './members.tsx'
import styles from './projects.module.css'

/** The facts of the project, and its members. */
export function OverviewPart() {
  const { t } = useTranslation('projects')
  const id = useId()
  const input = { project_id: Number(useParams()['projectId']) }
  const info = useQuery(q(projects.info, input))
  const members = useQuery(q(projects.members, input))
  return (
    <div className={styles.parts}>
      <section className={styles.card} aria-labelledby={`${id}-facts`}>
        <h2 id={`${id}-facts`}>{t('facts.title')}</h2>
        <QueryPart query={info} failed={t('facts.failed')} skeleton={<Skeleton height={420} />}>
          {(data) => <Facts info={data} />}
        </QueryPart>
      </section>
      <section className={styles.card} aria-labelledby={`${id}-members`}>
        <h2 id={`${id}-members`}>
          {members.data ? t('members.title', { count: members.data.results.length }) : t('members.heading')}
        </h2>
        <QueryPart query={members} failed={t('members.failed')} skeleton={<Skeleton height={58} />}>
          {({ results }) => <Members members={results} />}
        </QueryPart>
      </section>
    </div>
  )
}
