// Tables as files that people save.

/** CSV (RFC 4180); a mark makes spreadsheets read it as UTF-8. */
export const toCsv = (head: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string =>
  `\uFEFF${[head, ...rows].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')}`

/** One cell. What a spreadsheet would take for a formula is made text: people and platforms choose their words. */
function cell(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '')
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Hands a text to the browser as a file. */
export function download(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  saveFrom(url, name)
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Has the browser save what is at an address: it may be larger than a page could hold. */
export function saveFrom(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
