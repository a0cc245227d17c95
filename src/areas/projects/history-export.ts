// Export of the filtered project history as CSV or JSON.
import { history, type HistoryItem } from '#contract/areas/projects/history.ts'
import { call } from '#src/api/call.ts'
import { readPages } from '#src/api/read-pages.ts'
import { toCsv as csvOf } from '#contract/core/csv.ts'
import { detailsOf, personOf, type Translate } from './history-texts.ts'
import { askOf, type View } from './history-view.ts'

/** Reads all rows of a view in one session. @returns the rows, and whether there were more than `exportMax` */
export const readAll = (projectId: number, view: View, sessionId?: string | null) =>
  readPages(
    (page) => call(history.list, askOf(projectId, view, page), { sessionId }),
    ({ id }) => id,
  )

/** Rows as JSON, unchanged from the response. */
export const toJson = (rows: readonly HistoryItem[]): string => `${JSON.stringify(rows, null, 2)}\n`

/** Rows as CSV with column names in the user's language. */
export const toCsv = (rows: readonly HistoryItem[], t: Translate): string =>
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
