import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useMayEdit } from '#src/components/use-may-edit.ts'
import { isLastKnown, useStatus } from '#src/components/use-status.ts'
import { DebtNote } from '#src/components/debt-note.tsx'
import { useInstallation } from '#src/components/use-installation.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { formatTime } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Page } from '#src/ui/page.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { FromBrowser } from '#src/app/home/from-browser/from-browser.tsx'
import { Announcer } from '#src/app/home/on-air/announcer.tsx'
import { OnAirPart } from '#src/app/home/on-air/on-air-part.tsx'

// A page that is on air does not load it.
const offAir = () => import('#src/app/home/off-air/off-air.tsx')
const OffAir = lazy(async () => ({ default: (await offAir()).OffAir }))

const everyMs = 2_000
/** Room of a button that waits for the status. */
const later = { minHeight: 40 }

/** Control room: the broadcast and its channels, or the checklist before going live. */
export function Component() {
  // Starts the queries of all parts together, not one after the other.
  const { t } = useTranslation(['home', 'live', 'parts'])
  const projectId = Number(useParams()['projectId'])
  const language = useLanguage()
  const { hasPlans } = useInstallation()
  const status = useStatus(projectId, everyMs)
  // Created first: time formats are costly.
  const isStale = isLastKnown(status)
  const mayEdit = useMayEdit(projectId, false)
  // Scheduled files give way to a browser.
  const isSending = status.data?.kind === 'live' && status.data.status !== 'lost'
  return (
    <Page
      title={t('title')}
      actions={
        <div style={later}>
          {mayEdit && status.data && <FromBrowser key={projectId} projectId={projectId} isSending={isSending} />}
        </div>
      }
    >
      {hasPlans && <DebtNote projectId={projectId} />}
      <Announcer key={projectId} status={status.data} />
      <QueryPart
        query={status}
        failed={isStale ? t('stale', { at: formatTime(status.dataUpdatedAt, language) }) : t('failed')}
        skeleton={<Skeleton height={280} />}
      >
        {(data) =>
          data.kind !== 'inactive' ? (
            <OnAirPart key={data.broadcast_id} projectId={projectId} onAir={data} isStale={isStale} />
          ) : (
            <Suspense fallback={<Skeleton height={280} />}>
              <OffAir projectId={projectId} stoppedId={data.stopped_broadcast_id} />
            </Suspense>
          )
        }
      </QueryPart>
    </Page>
  )
}
