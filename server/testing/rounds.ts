// Counts of repeated tests: fewer in `npm test` than at night, and fewer on PostgreSQL, which repeats the tests of SQLite.

export interface Rounds {
  readonly usual: number
  /** In `npm test` on PostgreSQL. Default: as usual. */
  readonly onPostgres?: number
  readonly nightly: number
}

/** Returns the count for this run. docs/testing.md lists them. */
export function roundsOf({ usual, onPostgres = usual, nightly }: Rounds): number {
  if (process.env['NIGHTLY']) return nightly
  return process.env['DATABASE_URL'] ? onPostgres : usual
}
