// Limit of concurrent downloads of a project.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { eventually } from '#server/testing/eventually.ts'
import { addSomeFilm } from '#server/testing/films.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

let world: World
let ann: Person
beforeEach(async () => {
  world = await testApp({ RECORD_LIMIT: '1' })
  ann = await world.user()
})
afterEach(() => world.close())

test('refuses downloads above the limit that begin together, and counts them down when they end', async () => {
  const { url } = await world.app.listen()
  const { id, file } = await addSomeFilm(world.services, ann.projectId)
  // More than the sockets take, so that each download stays open.
  writeFileSync(join(world.dataDir, 'media', 'masters', file), Buffer.alloc(32 * 1024 * 1024))
  const { video } = (await world.api(mediaFiles.get, { project_id: ann.projectId, media_id: id }, { as: ann })).body
  const leaving = new AbortController()
  const download = () => fetch(`${url}${video}`, { signal: leaving.signal })
  const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await download()).status))
  expect(statuses.filter((status) => status === 503)).toHaveLength(10)
  leaving.abort()
  await eventually(async () => {
    const again = new AbortController()
    const all = Array.from({ length: 20 }, () => fetch(`${url}${video}`, { signal: again.signal }))
    const isOpen = (await Promise.all(all)).every(({ status }) => status === 200)
    again.abort()
    return isOpen
  })
})
