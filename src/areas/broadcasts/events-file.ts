// The events of a broadcast as a file: all that the filter leaves in, as far as a browser should carry them.
import type * as z from 'zod/mini'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { BroadcastEvent } from '#contract/entities/broadcast.ts'
import type { Input } from '#contract/core/operation.ts'
import { call } from '#src/api/call.ts'

export type Event = z.output<typeof BroadcastEvent>

/** Events in a file at most. */
export const exportMax = 10_000
const step = 100

/** Reads the events from the first to the last. @returns them, and whether there were more than `exportMax` */
export async function readAll(
  ask: Input<typeof broadcasts.events>,
): Promise<{ readonly events: readonly Event[]; readonly isCut: boolean }> {
  const events = new Map<number, Event>()
  let total = 1
  for (let offset = 0; offset < Math.min(total, exportMax); offset += step) {
    const page = await call(broadcasts.events, { ...ask, limit: step, offset, sort_by_date: 'asc' })
    for (const event of page.results) events.set(event.id, event)
    total = page.total
  }
  return { events: [...events.values()], isCut: total > exportMax }
}

const columns = ['created_at', 'level', 'kind', 'channel', 'reason', 'words', 'text'] as const

/** Events as CSV (RFC 4180), the columns named as the API names them; a mark makes spreadsheets read it as UTF-8. */
export function toCsv(events: readonly Event[]): string {
  const lines = events.map((event) =>
    columns.map((name) => (name === 'channel' ? (event.channel?.name ?? '') : (event[name] ?? ''))),
  )
  return `\uFEFF${[[...columns], ...lines].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')}`
}

/** One cell. What a spreadsheet would take for a formula is made text: platforms choose their words. */
function cell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Hands a text to the browser as a file. */
export function download(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
