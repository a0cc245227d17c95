import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { q } from '#src/api/query.ts'
import { useSettled } from '#src/api/settled.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { Failure } from '#src/components/failure.tsx'
import { RenewalPart } from '#src/components/renewal.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { formatBitrate } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Card, Cards } from '#src/ui/card.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from '#src/app/home/home.module.css'

/** Cards for the project's tariff, its members, and the API. */
export function ProjectCards({ projectId }: { projectId: number }) {
  const { t } = useTranslation(['off-air', 'home'])
  const { hasPlans } = useInstallation()
  return (
    <Cards>
      {hasPlans && <PlanCard projectId={projectId} />}
      <TeamCard projectId={projectId} />
      <Card title={t('api.title')}>
        <p className={styles.text}>{t('api.text')}</p>
        <Link to={paths.reference()}>{t('api.link')}</Link>
      </Card>
    </Cards>
  )
}

function PlanCard({ projectId }: { projectId: number }) {
  const { t } = useTranslation(['off-air', 'home'])
  const language = useLanguage()
  const { data, error, isFetching, refetch } = useQuery({
    ...q(restream.slots, { project_id: projectId }),
    enabled: useSettled(),
  })
  const { channel_max: channels, bitrate_max: bitrate, date_end: end } = data?.current ?? {}
  return (
    <Card title={t('plan.title')}>
      {error && !data ? (
        <Failure title={t('home:failed')} error={error} isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : data ? (
        <FactList>
          <Fact name={t('plan.channels')}>{channels ?? '–'}</Fact>
          <Fact name={t('plan.bitrate')}>
            {bitrate === null || bitrate === undefined ? '–' : formatBitrate(bitrate, language)}
          </Fact>
          <Fact name={t('plan.ends')}>{end ? <DateStamp iso={end} /> : t('plan.endless')}</Fact>
        </FactList>
      ) : (
        <div data-deferred>
          <Skeleton height={114} />
        </div>
      )}
      {end && !data?.next && <RenewalPart projectId={projectId} line="restream" />}
      <Link to={paths.tariffs(projectId)}>{t('plan.link')}</Link>
    </Card>
  )
}

function TeamCard({ projectId }: { projectId: number }) {
  const { t } = useTranslation(['off-air', 'home'])
  const { data, error, isFetching, refetch } = useQuery(q(projects.members, { project_id: projectId }))
  return (
    <Card title={t('team.title')}>
      {error && !data ? (
        <Failure title={t('home:failed')} error={error} isRetrying={isFetching} onRetry={() => void refetch()} />
      ) : data ? (
        <p className={styles.number}>{t('team.members', { count: data.results.length })}</p>
      ) : (
        <Skeleton height={30} />
      )}
      <Link to={paths.project(projectId)}>{t('team.link')}</Link>
    </Card>
  )
}
