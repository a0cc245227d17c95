import { afterEach, beforeEach, expect, test } from 'vitest'
import { addSomeFilm } from '#server/testing/films.ts'
import { recordStatements } from '#server/testing/statements.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { readVideos } from './videos.ts'

let world: World
beforeEach(async () => {
  world = await testApp()
})
afterEach(() => world.close())

test('a page of videos makes the same statements for any number of rows', async () => {
  const ann = await world.user()
  const about = (at: number) => ({ name: `Film ${at}`, date_create: `2026-03-0${at}T10:00:00.000Z` })
  const read = async () => {
    const { db, statements } = recordStatements(world.app.db)
    const page = await readVideos(db, ann.projectId, { limit: 100, offset: 0 })
    return { ...page, statements: statements.length }
  }
  const addRecording = (id: number) =>
    world.app.db
      .insertInto('recordings')
      .values({
        id,
        project_id: ann.projectId,
        broadcast_id: null,
        node: 'away',
        name: `n${id}`,
        file: `1/n${id}.mp4`,
        state: 'ready',
        reason: null,
        bytes: 500,
        duration_ms: 90_000,
        date_create: `2026-03-0${id}T12:00:00.000Z`,
      })
      .execute()
  await addSomeFilm(world.services, ann.projectId, about(1))
  await addRecording(1)
  const few = await read()
  for (const at of [2, 3, 4, 5]) {
    await addSomeFilm(world.services, ann.projectId, about(at))
    await addRecording(at)
  }
  const many = await read()
  expect(many.statements).toBe(few.statements)
  expect(many.total).toBe(10)
  // Newest first, films and recordings in one order.
  expect(many.videos.map(({ film, recording }) => film?.name ?? recording?.name)).toEqual(
    [5, 4, 3, 2, 1].flatMap((at) => [`n${at}`, `Film ${at}`]),
  )
  const bob = await world.user('bob@example.com')
  expect((await readVideos(world.app.db, bob.projectId, { limit: 100, offset: 0 })).videos).toEqual([])
})
