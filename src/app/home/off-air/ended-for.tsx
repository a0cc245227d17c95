import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { BroadcastEvent } from '#contract/entities/broadcast.ts'
import { q } from '#src/api/query.ts'
import { paths } from '#src/lib/paths.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Note } from '#src/ui/note.tsx'

interface Props {
  readonly projectId: number
  readonly broadcastId: number
}

/** Reason that the last broadcast ended, if its bitrate exceeded the tariff; nothing otherwise. */
export function EndedFor({ projectId, broadcastId }: Props) {
  const { t } = useTranslation('on-air-later', { keyPrefix: 'bitrate' })
  const { gap } = usePunctuation()
  const { data } = useQuery(q(broadcasts.events, { project_id: projectId, broadcast_id: broadcastId, limit: 50 }))
  const words = data && endedForBitrate(data.results)
  if (words === undefined) return null
  return (
    <Note tone="warn">
      {t('last', { words }) + gap + t('todo')} <Link to={paths.tariffs(projectId)}>{t('tariffs')}</Link>
    </Note>
  )
}

/**
 * Finds a final disconnection for bitrate.
 * @param events newest first
 * @returns the bitrates of the refusal; undefined for any other end
 */
function endedForBitrate(events: readonly BroadcastEvent[]): string | undefined {
  const last = events.find(({ kind }) => kind === 'source-lost' || kind === 'source-back')
  if (last?.kind !== 'source-lost' || last.reason !== 'bitrate') return undefined
  return events.find(({ kind }) => kind === 'bitrate-refused')?.words ?? ''
}
