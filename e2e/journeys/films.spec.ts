// Videos on air, from the upload to the recording of the platform: by a schedule, and in the place of a lost encoder.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, TestInfo } from '@playwright/test'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { onAir } from '#e2e/fixtures/on-air.ts'
import { expect } from '#e2e/fixtures/test.ts'
import { colorsOf, decode, longest, presented, toneOf } from '#server/relay/testing/decode.ts'
import { makeMaster } from '#server/relay/testing/films.ts'
import { folder, hasPrograms, platform, type Platform, publish, sample } from '#server/relay/testing/programs.ts'
import { paths } from '#src/lib/paths.ts'

const test = onAir.extend<{ readonly nginx: Platform; readonly ticking: void }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern
  nginx: async ({}, use) => {
    const nginx = await platform()
    await use(nginx)
    await nginx.stop()
  },
  // The node has the clock of this machine.
  ticking: [
    async ({ service }, use) => {
      const timer = setInterval(() => service.clock.set(new Date()), 20)
      await use()
      clearInterval(timer)
    },
    { auto: true },
  ],
})

test.skip(!hasPrograms, 'a film of a real picture needs ffmpeg and nginx-rtmp')

/** Time for a few seconds of work of a node on a busy machine, milliseconds. */
const patience = { timeout: 60_000 }
const frequency = 880

/** Uploads a red film with a tone on the page Media, and waits until it is ready. */
async function upload(page: Page, name: string, seconds: number): Promise<void> {
  const file = join(folder(), `${name}.mp4`)
  await makeMaster(file, { color: 'red', size: '320x180', seconds, frequency })
  await page.getByLabel('Choose files').setInputFiles(file)
  await expect(page.getByRole('list', { name: 'Videos' })).toContainText(name, patience)
}

/** Expects one publication that decodes, with red pictures and the tone while they are shown. @returns seconds of red */
async function expectRed(nginx: Platform): Promise<number> {
  const flv = await nginx.recorded('one')
  expect(nginx.recordings('one')).toHaveLength(1)
  expect((await decode(flv)).errors).toBe('')
  const { red } = await colorsOf(flv)
  const [from = 0, to = 0] = [red[0], red.at(-1)]
  expect(Math.abs((await toneOf(flv, [from + 0.3, to - from - 0.6])) - frequency)).toBeLessThan(25)
  return to - from
}

/** Number of films that the node of a test has made. */
function filmsOf(info: TestInfo): number {
  const films = info.outputPath('films')
  return existsSync(films) ? readdirSync(films).filter((name) => name.endsWith('.film')).length : 0
}

test('plays an uploaded video at its time, and Home follows it to its end', async ({
  page,
  person,
  login,
  goto,
  follow,
  api,
  relay: _,
  nginx,
}) => {
  const project = { project_id: person.projectId }
  const rtmp_url = `rtmp://127.0.0.1:${nginx.port}/live`
  await api(addChannel.boosty, { ...project, name: 'One', rtmp_url, stream_key: 'one' })
  await login()
  await goto(paths.media(person.projectId))
  await upload(page, 'Concert', 8)

  await follow(paths.broadcasts(person.projectId, 'schedule'))
  await page.getByRole('button', { name: 'New schedule' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New schedule' })
  await dialog.getByRole('combobox', { name: 'Add a video' }).click()
  await page.getByRole('option', { name: /^Concert/ }).click()
  await dialog.getByLabel('Channels', { exact: true }).selectOption('Chosen channels')
  await dialog.getByLabel('One', { exact: true }).check()
  const begin = new Date(Date.now() + 20_000).toISOString()
  await dialog.getByLabel('Date', { exact: true }).fill(begin.slice(0, 10))
  await dialog.getByLabel('Time', { exact: true }).fill(begin.slice(11, 19))
  await dialog.getByRole('button', { name: 'Add to schedule' }).click()
  await expect(dialog).toBeHidden()

  await follow(paths.home(person.projectId))
  const main = page.getByRole('main')
  await expect(main).toContainText(/Next on the schedule: Concert, in 0:\d\d/)
  await expect(main.getByRole('heading', { name: 'On air', exact: true })).toBeVisible(patience)
  expect(Date.now()).toBeGreaterThan(Date.parse(begin) - 1_000)
  await expect(main).toContainText('The schedule is on air: Concert.')
  const row = main.getByRole('list', { name: 'Channels', exact: true }).getByRole('listitem')
  await expect(row).toContainText('Live')
  await expect(main.getByRole('heading', { name: 'You are off air' })).toBeVisible(patience)
  expect(await expectRed(nginx)).toBeGreaterThan(6)
})

test('plays a video in the place of a killed encoder, and Home says so until it returns', async ({
  page,
  person,
  login,
  goto,
  follow,
  api,
  relay,
  nginx,
}, info) => {
  const project = { project_id: person.projectId }
  const rtmp_url = `rtmp://127.0.0.1:${nginx.port}/live`
  await api(addChannel.boosty, { ...project, name: 'One', rtmp_url, stream_key: 'one' })
  const { key } = await api(streamKeys.get, project)
  await api(streamKeys.setWait, { ...project, wait_minutes: 5, hold: false })
  const source = await sample(folder(), 4)
  const url = `rtmp://127.0.0.1:${relay.port}/live/${key}`
  await login()
  await goto(paths.media(person.projectId))
  await upload(page, 'Interlude', 3)
  await page.getByLabel('While the encoder is lost').selectOption('Interlude')

  await follow(paths.home(person.projectId))
  const main = page.getByRole('main')
  const row = main.getByRole('list', { name: 'Channels', exact: true }).getByRole('listitem')
  const first = publish(source, url, ['-stream_loop', '-1'])
  await expect(row).toContainText('Live', patience)
  await expect.poll(() => filmsOf(info), patience).toBe(1)
  await first.stop('SIGKILL')
  await expect(main.getByRole('heading', { name: 'Encoder disconnected' })).toBeVisible()
  await expect(main).toContainText('Your channels receive your video.')
  await expect(row).toContainText('Your video')
  // Two rounds of the video.
  await page.waitForTimeout(6_000)

  const second = publish(source, url, ['-stream_loop', '-1'])
  await expect(main.getByRole('heading', { name: 'On air', exact: true })).toBeVisible(patience)
  await expect(main).not.toContainText('Your channels receive your video.')
  await expect(row).toContainText('Live')
  await page.waitForTimeout(2_000)
  await main.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Stop broadcast' }).click()
  await expect(main.getByRole('heading', { name: 'You are off air' })).toBeVisible()
  await second.stop()
  expect(await expectRed(nginx)).toBeGreaterThan(5)
  const times = await presented(await nginx.recorded('one'))
  // 1.0 s until the loss counts, and 0.5 s for a busy machine.
  expect(longest(times.toSorted((a, b) => a - b))).toBeLessThanOrEqual(1_500)
})
