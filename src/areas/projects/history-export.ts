// The history as a file: everything that the filters leave in, as far as a browser should carry it.
import { history, type HistoryItem } from '#contract/areas/projects/history.ts'
import { call } from '#src/api/call.ts'
import { toCsv as csvOf } from '#src/lib/table-file.ts'
import { detailsOf, personOf, type Words } from './history-words.ts'
import { askOf, type View } from './history-view.ts'

/** Rows in a file at most. */
export const exportMax = 10_000
const step = 100

/** Reads all rows of a view, page by page, under one session. @returns the rows, and whether there were more than `exportMax` */
export async function readAll(
  projectId: number,
  view: View,
  sessionId?: string | null,
): Promise<{ readonly rows: readonly HistoryItem[]; readonly isCut: boolean }> {
  const rows = new Map<number, HistoryItem>()
  let total = 1
  for (let offset = 0; offset < Math.min(total, exportMax); offset += step) {
    const page = await call(history.list, askOf(projectId, view, { limit: step, offset }), { sessionId })
    // What happens meanwhile moves the rows; each is taken once.
    for (const row of page.results) rows.set(row.id, row)
    total = page.total
  }
  return { rows: [...rows.values()], isCut: total > exportMax }
}

/** Rows as JSON, as the service told them. */
export const toJson = (rows: readonly HistoryItem[]): string => `${JSON.stringify(rows, null, 2)}\n`

/** Rows as CSV, the columns in the person's language. */
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
