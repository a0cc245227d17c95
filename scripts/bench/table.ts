// Table of results: name, figure, reference, goal, and pass or fail.

export interface Row {
  readonly what: string
  readonly value: string
  readonly beside?: string
  readonly goal?: string
  /** Absent without a goal. */
  readonly pass?: boolean
}

const heads = ['what', 'figure', 'beside', 'goal', ''] as const

const verdict = ({ pass }: Row): string => (pass === undefined ? '' : pass ? 'pass' : 'miss')

/** Aligns the rows with their headings. */
export function table(rows: readonly Row[]): string {
  const cells = [heads, ...rows.map((row) => [row.what, row.value, row.beside ?? '', row.goal ?? '', verdict(row)])]
  const widths = heads.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)))
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
