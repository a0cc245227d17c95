import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { toApiError } from '#src/api/api-error.ts'
import { q } from '#src/api/query.ts'
import { formatBitrate } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Page } from '#src/ui/page.tsx'
import { Problem } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './home.module.css'

/** The control room. Today: what the project may send, and who is in it; what is live comes with the relay. */
export function Component() {
  const { t } = useTranslation('home')
  const projectId = Number(useParams()['projectId'])
  return (
    <Page title={t('title')} intro={t('intro')}>
      <section className={styles.live} aria-label={t('live.title')}>
        <h2>{t('live.title')}</h2>
        <p>{t('live.text')}</p>
      </section>
      <div className={styles.cards}>
        <PlanCard projectId={projectId} />
        <TeamCard projectId={projectId} />
        <section className={styles.card}>
          <h2>{t('api.title')}</h2>
          <p className={styles.text}>{t('api.text')}</p>
          <Link to={paths.reference()}>{t('api.link')}</Link>
        </section>
      </div>
    </Page>
  )
}

function PlanCard({ projectId }: { projectId: number }) {
  const { t } = useTranslation('home')
  const language = useLanguage()
  const { data, error, refetch } = useQuery(q(restream.slots, { project_id: projectId }))
  const { channel_max: channels, bitrate_max: bitrate } = data?.current ?? {}
  return (
    <section className={styles.card}>
      <h2>{t('plan.title')}</h2>
      {error && !data ? (
        <Problem title={t('failed')} retry={{ label: t('retry'), run: () => void refetch() }}>
          {toApiError(error).message}
        </Problem>
      ) : data ? (
        <dl className={styles.facts}>
          <dt>{t('plan.channels')}</dt>
          <dd className="tabular">{channels ?? '–'}</dd>
          <dt>{t('plan.bitrate')}</dt>
          <dd className="tabular">
            {bitrate === null || bitrate === undefined ? '–' : formatBitrate(bitrate, language).kbps}
          </dd>
        </dl>
      ) : (
        <Skeleton height={62} />
      )}
      <Link to={paths.tariffs(projectId)}>{t('plan.link')}</Link>
    </section>
  )
}

function TeamCard({ projectId }: { projectId: number }) {
  const { t } = useTranslation('home')
  const { data, error, refetch } = useQuery(q(projects.members, { project_id: projectId }))
  return (
    <section className={styles.card}>
      <h2>{t('team.title')}</h2>
      {error && !data ? (
        <Problem title={t('failed')} retry={{ label: t('retry'), run: () => void refetch() }}>
          {toApiError(error).message}
        </Problem>
      ) : data ? (
        <p className={styles.figure}>{t('team.members', { count: data.results.length })}</p>
      ) : (
        <Skeleton height={62} />
      )}
      <Link to={paths.project(projectId)}>{t('team.link')}</Link>
    </section>
  )
}
