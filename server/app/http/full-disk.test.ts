// A disk without room: what SQLite says then (SQLITE_FULL) comes from a limit on the size of the file.
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { invites } from '#contract/areas/projects/invites.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { eventually } from '#server/testing/eventually.ts'
import { requestOf } from '#server/testing/request.ts'
import { testApp, type World } from '#server/testing/test-app.ts'

const isSqlite = !process.env['DATABASE_URL']
let world: World
afterEach(() => world.close())

/** Allows the file so many pages more than it has. */
async function allow(pages: number): Promise<void> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(world.app.db)
  await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + pages}`).execute(world.app.db)
}

test.skipIf(!isSqlite)('a full disk is 503 until there is room, and the log says so', async () => {
  world = await testApp()
  const ann = await world.user()
  const send = () =>
    world.app.inject(requestOf(invites.add, { project_id: ann.projectId, access_type: 1 }, { as: ann }))
  const ready = async () => (await world.app.inject('/readyz')).statusCode
  expect(await ready()).toBe(200)

  await allow(0)
  const statuses = new Set<number>()
  const full = await eventually(async () => {
    const answer = await send()
    statuses.add(answer.statusCode)
    return answer.statusCode >= 500 && answer
  })
  expect([...statuses]).toEqual([201, 503])
  expect(full.json().error.name).toBe('DiskFull')
  expect(full.headers['retry-after']).toBe('5')
  const entry = world.logged.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'The disk is full')
  expect(entry.err.message).toBe('database or disk is full')

  // The readiness probe reports it, and reads still work.
  await eventually(async () => (await ready()) === 503)
  expect((await world.api(projects.list, {}, { as: ann })).status).toBe(200)

  await allow(1_000)
  expect((await send()).statusCode).toBe(201)
  await eventually(async () => (await ready()) === 200)
})
