// Reads a paged list as a whole, for exports.

/** Maximum number of rows in an export. */
export const exportMax = 10_000
/** Largest page of the API. */
const step = 100

/**
 * Reads all pages of a list, up to `exportMax` rows.
 * @param read returns one page
 * @param keyOf id of a row: new rows shift others to the next page while pages load, and each row is kept once
 * @returns the rows, and whether there were more
 */
export async function readPages<T>(
  read: (page: { readonly limit: number; readonly offset: number }) => Promise<{
    readonly results: readonly T[]
    readonly total: number
  }>,
  keyOf: (row: T) => number,
): Promise<{ readonly rows: readonly T[]; readonly isCut: boolean }> {
  const rows = new Map<number, T>()
  let total = 1
  for (let offset = 0; offset < Math.min(total, exportMax); offset += step) {
    const page = await read({ limit: step, offset })
    for (const row of page.results) rows.set(keyOf(row), row)
    total = page.total
  }
  return { rows: [...rows.values()], isCut: total > exportMax }
}
