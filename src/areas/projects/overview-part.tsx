import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { projects } from '#contract/areas/projects/projects.ts'
import { q } from '#src/api/query.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card, Cards } from '#src/ui/card.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Facts } from './facts.tsx'
import { Members } from './members.tsx'

/** The facts of the project, and its members. */
export function OverviewPart() {
  const { t } = useTranslation('projects')
  const input = { project_id: Number(useParams()['projectId']) }
  const info = useQuery(q(projects.info, input))
  const members = useQuery(q(projects.members, input))
  return (
    <Cards>
      <Card title={t('facts.title')}>
        <QueryPart query={info} failed={t('facts.failed')} skeleton={<Skeleton height={380} />}>
          {(data) => <Facts info={data} />}
        </QueryPart>
      </Card>
      <Card title={members.data ? t('members.title', { count: members.data.results.length }) : t('members.heading')}>
        <QueryPart query={members} failed={t('members.failed')} skeleton={<Skeleton height={58} />}>
          {({ results }) => <Members members={results} />}
        </QueryPart>
      </Card>
    </Cards>
  )
}
