import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q } from '#src/api/query.ts'
import { usePolling } from '#src/realtime/store.ts'
import { Pager } from '#src/components/pager.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card } from '#src/ui/card.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './broadcasts.module.css'
import { EventLine } from './event-line.tsx'
import { EventsExport } from './events-export.tsx'
import { pageOf } from '#src/lib/page-params.ts'

const pageSize = 50
const levels = ['info', 'warning', 'error'] as const

interface Props {
  readonly project_id: number
  readonly broadcast_id: number
  readonly isRunning: boolean
}

/** Events, newest first; stores the filter in the URL. */
export function EventsCard({ isRunning, ...which }: Props) {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'events' })
  const [params, setParams] = useSearchParams()
  const page = pageOf(params)
  const level = levels.find((known) => known === params.get('level'))
  const ask = { ...which, ...(level && { level }) }
  const polling = usePolling(which.project_id, 10_000)
  const list = useQuery({
    ...q(broadcasts.events, { ...ask, limit: pageSize, offset: (page - 1) * pageSize }),
    placeholderData: keepPreviousData,
    refetchInterval: isRunning && polling,
  })
  const choose = (value: string) =>
    setParams(value === '' ? {} : { level: value }, { replace: true, preventScrollReset: true })
  const toPage = (to: number) => ({
    search: new URLSearchParams({ ...(level && { level }), ...(to > 1 && { page: String(to) }) }).toString(),
  })
  return (
    <Card
      title={t('title')}
      actions={
        <SelectField
          label={t('level')}
          isLabelHidden
          value={level ?? ''}
          choices={[{ value: '', label: t('any') }, ...levels.map((one) => ({ value: one, label: t(`only.${one}`) }))]}
          onChange={choose}
        />
      }
    >
      <QueryPart query={list} failed={t('failed')} skeleton={<Skeleton height={260} />}>
        {({ results, total }) => (
          <>
            {results.length === 0 && <p className={styles.quiet}>{t('none')}</p>}
            <ol className={styles.events} aria-label={t('title')}>
              {results.map((event) => (
                <EventLine key={event.id} event={event} />
              ))}
            </ol>
            <div className={styles.foot}>
              <EventsExport key={level} ask={ask} />
              <Pager page={page} size={pageSize} total={total} to={toPage} />
            </div>
          </>
        )}
      </QueryPart>
    </Card>
  )
}
