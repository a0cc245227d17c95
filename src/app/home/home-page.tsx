import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useStatus } from '#src/areas/broadcasts/use-status.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { localeOf } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Page } from '#src/ui/page.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Announcer } from './announcer.tsx'
import { OffAir } from './off-air.tsx'
import { OnAirPart } from './on-air-part.tsx'

const everyMs = 2_000

/** The control room: what is on air and where it goes, or what is missing to get there. */
export function Component() {
  const { t } = useTranslation('home')
  const projectId = Number(useParams()['projectId'])
  const language = useLanguage()
  const time = new Intl.DateTimeFormat(localeOf[language], { timeStyle: 'medium' })
  const status = useStatus(projectId, everyMs)
  const isOnAir = status.data?.kind === 'live'
  return (
    <Page title={t('title')} intro={isOnAir ? undefined : t('intro')}>
      <Announcer key={projectId} status={status.data} />
      <QueryPart
        query={status}
        failed={status.data ? t('stale', { at: time.format(status.dataUpdatedAt) }) : t('failed')}
        skeleton={<Skeleton height={280} />}
      >
        {(data) =>
          data.kind === 'live' ? (
            <OnAirPart key={data.broadcast_id} projectId={projectId} onAir={data} isStale={status.isError} />
          ) : (
            <OffAir projectId={projectId} />
          )
        }
      </QueryPart>
    </Page>
  )
}
