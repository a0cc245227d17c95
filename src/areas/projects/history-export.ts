// Export of the filtered project history as CSV or JSON, up to `exportMax` rows.
import { history, type HistoryItem } from '#contract/areas/projects/history.ts'
import { call } from '#src/api/call.ts'
import { toCsv as csvOf } from '#src/lib/table-file.ts'
import { detailsOf, personOf, type Words } from './history-words.ts'
import { askOf, type View } from './history-view.ts'

/** Maximum number of rows in a file. */
export const exportMax = 10_000
const step = 100

/** Reads all rows of a view in one session. @returns the rows, and whether there were more than `exportMax` */
export async function readAll(
  projectId: number,
  view: View,
  sessionId?: string | null,
): Promise<{ readonly rows: readonly HistoryItem[]; readonly isCut: boolean }> {
  const rows = new Map<number, HistoryItem>()
  let total = 1
  for (let offset = 0; offset < Math.min(total, exportMax); offset += step) {
    const page = await call(history.list, askOf(projectId, view, { limit: step, offset }), { sessionId })
    // New entries shift rows to the next page while pages load; the map keeps each row once.
    for (const row of page.results) rows.set(row.id, row)
    total = page.total
  }
  return { rows: [...rows.values()], isCut: total > exportMax }
}

/** Rows as JSON, unchanged from the response. */
export const toJson = (rows: readonly HistoryItem[]): string => `${JSON.stringify(rows, null, 2)}\n`

/** Rows as CSV with column names in the user's language. */
export const toCsv = (rows: readonly HistoryItem[], t: Words): string =>
  csvOf(
    ['date', 'person', 'action', 'details', 'channel'].map((name) => t(`history.column.${name}`)),
    rows.map((row) => [
      row.date,
      personOf(row, t),
      t(`action.${row.action}`, { defaultValue: row.action }),
      detailsOf(row, t),
      row.group_id,
    ]),
  )
