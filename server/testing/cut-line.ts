// Connection of signals to PostgreSQL that the server ends again and again.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#server/db/open.ts'
import { createLine, type Line } from '#server/db/postgres-line.ts'

/** Creates a line to the schema of a database of `DATABASE_URL`, and `cut`, which has the server end its connection. */
export async function cutLine(db: Db): Promise<{ readonly line: Line; readonly cut: () => Promise<number> }> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db)
  const url = new URL(process.env['DATABASE_URL'] ?? '')
  const name = `line-${randomUUID()}`
  url.searchParams.set('application_name', name)
  const line = createLine({ url: url.href, schema: rows[0]?.schema ?? '' })
  const cut = async () => {
    const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${name}`.execute(db)
    return ended.rows.length
  }
  return { line, cut }
}

/** Ends the connection each 400 ms while work is done. @returns how often it was ended */
export async function cutWhile(cut: () => Promise<number>, work: () => Promise<void>): Promise<number> {
  let [cuts, isOver] = [0, false]
  const cutting = (async () => {
    while (!isOver) {
      await wait(400)
      cuts += await cut()
    }
  })()
  await work().finally(() => (isOver = true))
  await cutting
  return cuts
}
