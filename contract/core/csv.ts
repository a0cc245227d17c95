// Tables as CSV, of the dashboard and of the service.

/** CSV (RFC 4180); a byte order mark makes spreadsheets read it as UTF-8. */
export const toCsv = (head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string =>
  `\uFEFF${[head, ...rows].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')}`

/**
 * One cell. A value, or a part of it, that a spreadsheet would run as a formula becomes text: users and platforms choose values.
 */
function cell(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '')
  // Where semicolons separate cells, quotes in mid-line have no effect: a part after one is a cell of its own.
  const safe = value.replaceAll(/^(?=[\t\r\n])|(?:^|(?<=[;\t\r\n]))(?=[=+\-@＝＋－＠])/g, "'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
