// Export of filtered broadcast events as CSV, up to `exportMax` rows.
import type * as z from 'zod/mini'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { BroadcastEvent } from '#contract/entities/broadcast.ts'
import type { Input } from '#contract/core/operation.ts'
import { call } from '#src/api/call.ts'
import { toCsv as csvOf } from '#contract/core/csv.ts'

export type Event = z.output<typeof BroadcastEvent>

/** Maximum number of events in a file. */
export const exportMax = 10_000
const step = 100

/** Reads all events in one session. @returns the events, and whether there were more than `most` */
export async function readAll(
  ask: Input<typeof broadcasts.events>,
  most = exportMax,
  sessionId?: string | null,
): Promise<{ readonly events: readonly Event[]; readonly isCut: boolean }> {
  const events = new Map<number, Event>()
  let total = 1
  for (let offset = 0; offset < Math.min(total, most); offset += step) {
    const page = await call(broadcasts.events, { ...ask, limit: step, offset, sort_by_date: 'asc' }, { sessionId })
    for (const event of page.results) events.set(event.id, event)
    total = page.total
  }
  return { events: [...events.values()], isCut: total > most }
}

const columns = ['created_at', 'level', 'kind', 'channel', 'reason', 'words', 'text', 'count', 'last_at'] as const

/** Events as CSV with the field names of the API. */
export const toCsv = (events: readonly Event[]): string =>
  csvOf(
    columns,
    events.map((event) =>
      columns.map((name) =>
        name === 'channel'
          ? (event.channel?.name ?? '')
          : (event[name] ?? (name === 'count' ? 1 : name === 'last_at' ? event.created_at : '')),
      ),
    ),
  )
