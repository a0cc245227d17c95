// A person makes another picture for a channel that needs one, sees how it does on air, and gives it up again.
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { transcoders } from '#contract/areas/ingest/transcoders.ts'
import { axe } from '#e2e/fixtures/accessible.ts'
import { expect, test } from '#e2e/fixtures/test.ts'
import { goOnAir, report } from '#server/testing/nodes.ts'
import { paths } from '#src/lib/paths.ts'

const ffmpeg = { version: '7.1', x264: true, x265: true, srt: true }

test('from the form to the air, and back to the stream as it comes', async ({
  page,
  person,
  login,
  goto,
  api,
  service,
}) => {
  const { services } = service.app
  const inMine = { project_id: person.projectId }
  await api(addChannel.any, {
    ...inMine,
    type: 'twitch',
    name: 'Small stage',
    rtmp_url: 'rtmp://ingest.example.com/live',
    stream_key: 'key',
  })
  await report(services, { ffmpeg, pingHost: new URL(service.url).host })
  await login()
  await goto(paths.ingest(person.projectId, 'transcoders'))
  await expect(page.getByText('No transcoder yet')).toBeVisible()

  await page.getByRole('button', { name: 'New transcoder' }).click()
  const dialog = page.getByRole('dialog', { name: 'New transcoder' })
  await dialog.getByLabel('Name').fill('Half')
  await dialog.getByLabel('Video, kbps').fill('12')
  await expect(dialog.getByText('1000 to 100000, or nothing.')).toBeVisible()
  await dialog.getByLabel('Video, kbps').fill('2500')
  await dialog.getByLabel('Small stage').check()
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'New transcoder' }).click()
  await expect(dialog).toBeHidden()
  const row = page.getByRole('listitem').filter({ hasText: 'Half' })
  await expect(row).toContainText('H.264 · 1280×720 · 30 fps · 2500 kbps')
  await expect(row).toContainText('Off air')

  const [made] = (await api(transcoders.list, inMine)).results
  const since = service.clock.now().getTime()
  const told = { id: made?.id ?? 0, running: true, since, reason: null, kbps: 2480, lagMs: 300, restarts: 1 }
  await goOnAir(services, person.projectId, { transcoders: [told] })
  await page.reload()
  await expect(row).toContainText('Running')
  await expect(row).toContainText('2,480 kbps now, 0.3 s behind what comes in. Started again 1 time.')
  await row.getByRole('button', { name: 'Stop' }).click()
  await expect(row).toContainText('Its channels get nothing until you start it.')
  await row.getByRole('button', { name: 'Start' }).click()
  await expect(row).toContainText('Running')

  await row.getByRole('link', { name: 'Small stage' }).click()
  const choice = page.getByLabel('Picture')
  await expect(choice).toHaveValue(String(made?.id))
  await choice.selectOption({ label: 'The stream as it comes in' })
  await page.getByRole('region', { name: 'Transcoder' }).getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('region', { name: 'Transcoder' })).toContainText('Saved')

  await page.getByRole('link', { name: 'Transcoders' }).click()
  await expect(row).toContainText('Not needed')
  await row.getByRole('button', { name: 'Delete Half' }).click()
  await page.getByRole('button', { name: 'Delete the transcoder' }).click()
  await expect(page.getByText('No transcoder yet')).toBeVisible()
})
