import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { q } from '#src/api/query.ts'
import { useSettled } from '#src/api/settled.ts'
import { usePolling } from '#src/realtime/store.ts'
import { Pager } from '#src/components/pager.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Card } from '#src/ui/card.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './broadcasts.module.css'
import { pageOf } from '#src/lib/page-params.ts'
import { IconAlertTriangle, IconBug, IconInfoCircle, IconX } from '@tabler/icons-react'
import type { BroadcastEvent } from '#contract/entities/broadcast.ts'
import { DateStamp } from '#src/components/date-stamp.tsx'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import type * as z from 'zod/mini'
import { useEventWords } from './use-event-words.ts'
import { sessionOf } from '#src/api/query-client.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Button } from '#src/ui/button.tsx'
import { download } from '#src/lib/download.ts'
import { exportMax, readAll, toCsv } from './events-file.ts'

type Event = z.output<typeof BroadcastEvent>

const badges: Readonly<Record<Event['level'], readonly [Tone, typeof IconBug]>> = {
  debug: ['neutral', IconBug],
  info: ['neutral', IconInfoCircle],
  warning: ['warn', IconAlertTriangle],
  error: ['warn', IconX],
}

/** One event: severity, text, reason and time. */
function EventLine({ event }: { readonly event: Event }) {
  const { t } = useTranslation('broadcasts')
  const { what, why } = useEventWords()(event)
  const [tone, Icon] = badges[event.level]
  return (
    <li className={styles.event}>
      <Badge tone={tone} icon={<Icon size={14} aria-hidden />}>
        {t(`events.one.${event.level}`)}
      </Badge>
      <div className={styles.words}>
        <strong>{what}</strong>
        {event.count !== undefined && (
          <span className={styles.quiet}> {t('events.times', { count: event.count })}</span>
        )}
        {why && <div className={styles.quiet}>{why}</div>}
        {event.kind === 'platform-healed' && event.words?.startsWith('https://') && (
          <div className={styles.quiet}>
            <a href={event.words} target="_blank" rel="noreferrer">
              {event.words}
            </a>
          </div>
        )}
        {event.last_at !== undefined && (
          <div className={styles.quiet}>
            {t('events.last')} <DateStamp iso={event.last_at} />
          </div>
        )}
      </div>
      <DateStamp iso={event.created_at} />
    </li>
  )
}

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
    enabled: useSettled(),
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
      <QueryPart
        query={list}
        failed={t('failed')}
        skeleton={
          <div data-deferred>
            <Skeleton height={260} />
          </div>
        }
      >
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

/** Button that exports the filtered events as CSV. */
function EventsExport({ ask }: { readonly ask: Parameters<typeof readAll>[0] }) {
  const { t } = useTranslation('broadcasts', { keyPrefix: 'events' })
  const why = useFailureText()
  const { stop } = usePunctuation()
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: async (format: 'csv' | 'json') => {
      const { events, isCut } = await readAll(ask, exportMax, sessionOf(queries))
      const name = `broadcast-${ask.broadcast_id}-events.${format}`
      if (format === 'csv') download(name, 'text/csv;charset=utf-8', toCsv(events))
      else download(name, 'application/json', `${JSON.stringify(events, null, 2)}\n`)
      return isCut
    },
  })
  const state = () => {
    if (save.error) return t('exportFailed') + stop + why(save.error)
    return save.data ? t('exportCut', { count: exportMax }) : ''
  }
  return (
    <div className={styles.foot} role="group" aria-label={t('export')}>
      {(['csv', 'json'] as const).map((format) => (
        <Button key={format} look="outline" isBusy={save.isPending} onClick={() => save.mutate(format)}>
          {t(format)}
        </Button>
      ))}
      <output className={styles.quiet}>{state()}</output>
    </div>
  )
}
