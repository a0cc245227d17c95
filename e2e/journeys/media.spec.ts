// The Media page in a browser: a real file is uploaded, prepared by a node, and chosen for a lost encoder.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { axe, scrollsSideways } from '#e2e/fixtures/accessible.ts'
import { onAir as test } from '#e2e/fixtures/on-air.ts'
import { expect } from '#e2e/fixtures/test.ts'
import { folder, hasPrograms } from '#server/relay/testing/programs.ts'
import { paths } from '#src/lib/paths.ts'

test.skip(!hasPrograms, 'a film of a real picture needs ffmpeg')

/** Makes an MP4 with picture and sound. @param kbps of the picture: what makes its size */
function film(name: string, seconds: number, kbps: number): string {
  const path = join(folder(), name)
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=640x360:rate=30:duration=${seconds},noise=alls=40`]
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', `${kbps}k`, '-minrate', `${kbps}k`]
  const rate = ['-maxrate', `${kbps}k`, '-bufsize', `${kbps}k`, '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...picture, ...sound, ...codecs, ...rate, path])
  return path
}

test('uploads a film over a line that breaks, prepares it, and chooses it for a lost encoder', async ({
  page,
  person,
  login,
  goto,
  api,
  relay: _,
  watch,
}) => {
  watch.allow(/ERR_FAILED/, /Failed to load resource/)
  const path = film('Back soon.mp4', 6, 6_000)
  await login()
  await goto(paths.media(person.projectId))
  const main = page.getByRole('main')
  expect.soft(await axe(page)).toEqual([])

  // The second piece is lost.
  let pieces = 0
  await page.route('**/uploads/*', (route) => {
    if (route.request().method() === 'PATCH' && ++pieces === 2) return route.abort()
    return route.continue()
  })
  await main.getByLabel('Choose files').setInputFiles(path)
  const uploads = main.getByRole('list', { name: 'Uploads' })
  await expect(uploads).toContainText('Back soon')
  const videos = main.getByRole('list', { name: 'Videos' })
  await expect(videos).toContainText('Back soon', { timeout: 60_000 })
  expect(pieces).toBeGreaterThan(2)
  await expect(uploads).toBeHidden()
  await expect(videos).toContainText(/0:06 · .* · 640 × 360/)

  await videos.getByRole('button', { name: 'Play: Back soon' }).click()
  const player = videos.locator('video')
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0.5)
  expect.soft(await axe(page)).toEqual([])
  await videos.getByRole('button', { name: 'Close the player: Back soon' }).click()

  await main.getByLabel('While the encoder is lost').selectOption('Back soon')
  const chosen = async () => (await api(streamKeys.get, { project_id: person.projectId })).lost_media_service_file_id
  await expect.poll(chosen).toBeTruthy()
  await expect(videos).toContainText('Encoder lost')
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => scrollsSideways(page)).toBe(false)
})

test('pauses an upload, and continues it after a reload with the same file', async ({
  page,
  person,
  login,
  goto,
  relay: _,
  watch,
}) => {
  watch.allow(/ERR_/, /Failed to load resource/)
  const path = film('Talk.mp4', 8, 6_000)
  await login()
  await goto(paths.media(person.projectId))
  const main = page.getByRole('main')
  // Only the first piece arrives.
  let pieces = 0
  const held = Promise.withResolvers<void>()
  await page.route('**/uploads/*', async (route) => {
    if (route.request().method() === 'PATCH' && ++pieces > 1) await held.promise
    await route.continue().catch(() => undefined)
  })
  await main.getByLabel('Choose files').setInputFiles(path)
  const uploads = main.getByRole('list', { name: 'Uploads' })
  await expect.poll(() => pieces).toBe(2)
  await uploads.getByRole('button', { name: 'Pause the upload: Talk' }).click()
  await expect(uploads).toContainText(/Paused at \d+%/)
  await expect(uploads.getByRole('button', { name: 'Continue the upload: Talk' })).toBeVisible()

  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(uploads).toContainText(/Not sent from this tab\. \d+% are uploaded/)
  held.resolve()
  const starts: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') starts.push(Number(request.headers()['upload-offset']))
  })
  await main.getByLabel('Choose the file again: Talk').setInputFiles(path)
  await expect(main.getByRole('list', { name: 'Videos' })).toContainText('Talk', { timeout: 60_000 })
  expect(Math.min(...starts), 'nothing is sent twice').toBeGreaterThan(0)
})
