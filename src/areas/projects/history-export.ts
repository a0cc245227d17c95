// The history as a file: everything that the filters leave in, as far as a browser should carry it.
import { history, type HistoryItem } from '#contract/areas/projects/history.ts'
import { call } from '#src/api/call.ts'
import { detailsOf, personOf, type Words } from './history-words.ts'
import { askOf, type View } from './history-view.ts'

/** Rows in a file at most. */
export const exportMax = 10_000
const step = 100

/** Reads all rows of a view, page after page. @returns the rows, and whether there were more than `exportMax` */
export async function readAll(
  projectId: number,
  view: View,
): Promise<{ readonly rows: readonly HistoryItem[]; readonly isCut: boolean }> {
  const rows = new Map<number, HistoryItem>()
  let total = 1
  for (let offset = 0; offset < Math.min(total, exportMax); offset += step) {
    const page = await call(history.list, askOf(projectId, view, { limit: step, offset }))
    // What happens meanwhile moves the rows; each is taken once.
    for (const row of page.results) rows.set(row.id, row)
    total = page.total
  }
  return { rows: [...rows.values()], isCut: total > exportMax }
}

/** Rows as JSON, as the service told them. */
export const toJson = (rows: readonly HistoryItem[]): string => `${JSON.stringify(rows, null, 2)}\n`

/** Rows as CSV (RFC 4180) with a mark that makes spreadsheets read it as UTF-8. */
export function toCsv(rows: readonly HistoryItem[], t: Words): string {
  const head = ['date', 'person', 'action', 'details', 'channel'].map((name) => t(`history.column.${name}`))
  const lines = rows.map((row) => [
    row.date,
    personOf(row, t),
    t(`action.${row.action}`, { defaultValue: row.action }),
    detailsOf(row, t),
    row.group_id === null ? '' : String(row.group_id),
  ])
  return `\uFEFF${[head, ...lines].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')}`
}

/** One cell. What a spreadsheet would take for a formula is made text: names are chosen by people. */
const cell = (value: string): string => {
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
