// Recordings in a browser: history, download, deletion by role.
import { readdirSync, readFileSync } from 'node:fs'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { axe, scrollsSideways } from '#e2e/fixtures/accessible.ts'
import { onAir as test } from '#e2e/fixtures/on-air.ts'
import { expect } from '#e2e/fixtures/test.ts'
import { folder, hasPrograms, probe, publish, sample } from '#server/relay/testing/programs.ts'
import { paths } from '#src/lib/paths.ts'

test.skip(!hasPrograms, 'a recording of a real picture needs ffmpeg')

test('records, lists, downloads as MP4 and deletes', async ({ page, person, login, api, relay, watch }, info) => {
  const project = { project_id: person.projectId }
  await api(streamKeys.setWait, { ...project, wait_minutes: 0 })
  await api(streamKeys.setRecord, { ...project, record: true })
  const { key } = await api(streamKeys.get, project)
  const encoder = publish(await sample(folder(), 3), `rtmp://127.0.0.1:${relay.port}/live/${key}`)
  await encoder.done()
  const rows = async () => (await api(broadcasts.list, project)).results
  await expect.poll(async () => (await rows())[0]?.finish_at).toBeTruthy()
  const broadcast_id = (await rows())[0]?.id ?? 0
  const files = async () => (await api(recordings.list, { ...project, broadcast_id })).results
  await expect.poll(async () => (await files()).map(({ state }) => state)).toEqual(['ready'])

  await login()
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'All broadcasts' }).click()
  await expect(page).toHaveURL(paths.broadcasts(person.projectId))
  const line = main.getByRole('list', { name: 'Broadcasts' }).getByRole('listitem')
  await expect(line).toContainText('Recorded')
  await line.getByRole('link').click()
  const row = main.getByRole('list', { name: 'Recordings' }).getByRole('listitem')
  await expect(row).toContainText('MP4')
  await expect(row).toContainText(/0:0\d · \d+ kB/)
  await expect(main.getByText(/Videos and recordings use \d+ kB of [\d.]+ GB/)).toBeVisible()
  expect.soft(await axe(page)).toEqual([])

  await page.getByRole('navigation', { name: 'Pages' }).first().getByRole('link', { name: 'Broadcasts' }).click()
  await main.getByRole('link', { name: 'Recordings' }).click()
  await expect(page).toHaveURL(paths.broadcasts(person.projectId, 'recordings'))
  const still = row.locator('button video')
  await expect.poll(() => still.evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(1)
  await row.getByRole('button', { name: /^Play the recording of/ }).click()
  const player = row.locator('video[controls]')
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.5)
  expect.soft(await axe(page)).toEqual([])
  await row.getByRole('button', { name: 'Close the player' }).click()
  await expect(player).toHaveCount(0)

  const saving = page.waitForEvent('download')
  await row.getByRole('button', { name: /^Download the MP4 of/ }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toMatch(new RegExp(`^broadcast-${broadcast_id}-.*\\.mp4$`))
  const disk = info.outputPath('recordings', String(person.projectId))
  const [name = ''] = readdirSync(disk)
  expect(readFileSync(await saved.path()).equals(readFileSync(`${disk}/${name}`))).toBe(true)
  const kinds = new Set((await probe(await saved.path())).map(({ codec_type }) => codec_type))
  expect([...kinds].toSorted()).toEqual(['audio', 'video'])
  expect((await watch.leaks(page)).filter((place) => place === 'an address')).toEqual([])

  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => scrollsSideways(page)).toBe(false)
  await row.getByRole('button', { name: /^Delete the recording of/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this recording?' })
  await expect(dialog).toContainText('deleted permanently')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toBeHidden()
  await expect(main.getByRole('list', { name: 'Recordings' })).toBeHidden()
  await expect.poll(() => readdirSync(disk)).toEqual([])
})
