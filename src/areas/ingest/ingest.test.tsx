// Tests of stream setup: servers, key, switches, rights.
import { within } from '@testing-library/react'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { report, someNode } from '#server/testing/nodes.ts'
import { paths } from '#src/lib/paths.ts'
import { button, confirm, dialog } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

const keyField = () => screen.findByLabelText<HTMLInputElement>('Stream key')
const copied = () => navigator.clipboard.readText()

test('shows that no server has reported, and that the key works already', async ({ open, person }) => {
  for (const tab of ['pull', 'servers', undefined] as const) {
    await open(paths.ingest(person.projectId, tab))
    await screen.findByText('No ingest server is online yet')
  }
  await screen.findByText(/your stream key already works/)
  await expect.poll(async () => (await keyField()).value).toMatch(/^[0-9a-f]{32}$/)
  expect(await button('QR code for a phone')).toHaveAttribute('aria-disabled', 'true')
})

test('shows health and loads of servers for the chosen hours', async ({ open, user, person, service }) => {
  const pingHost = new URL(service.url).host
  const busy = { node: 'osl-1', city: 'Oslo', country: 'NO', pingHost, load: { ...someNode.load, cpu: 90 } }
  await report(service.services, { ...busy, load: { ...busy.load, cpu: 10 } }, 2 * 3_600_000)
  await report(service.services, busy)
  await open(paths.ingest(person.projectId, 'servers'))
  const oslo = () => screen.findByRole('row', { name: /Oslo/ })
  await expect.poll(oslo).toHaveTextContent('Overloaded')
  await expect.poll(oslo).toHaveTextContent('90% up to 90%')
  await user.click(screen.getByRole('radio', { name: '3 h' }))
  await expect.poll(oslo).toHaveTextContent('50% up to 90%')
  expect(location.search).toContain('hours=3')
  await user.selectOptions(await screen.findByLabelText('Metric'), 'CPU')
  await expect.poll(() => screen.getByRole('main')).toHaveTextContent('Oslo, Norway: average 50%, 10% to 90%')
})

test('leads to what channels receive in place of the stream', async ({ open, person }) => {
  await open(paths.ingest(person.projectId))
  expect(await screen.findByRole('link', { name: 'Choose in Media' })).toHaveAttribute(
    'href',
    paths.media(person.projectId),
  )
})

test('offers everything to paste: address, key, QR code, command', async ({ open, user, person, service, api }) => {
  const { key } = await api(streamKeys.get, { project_id: person.projectId })
  await report(service.services, { pingHost: new URL(service.url).host, bonding: true })
  await open(paths.ingest(person.projectId))
  await expect.poll(() => screen.findByRole('radio', { name: /Frankfurt.*Healthy.*\d ms from here/ })).toBeChecked()
  await user.click(await button('Copy: Server'))
  await expect.poll(copied).toBe('rtmp://fra.example.com:1935/live')
  await user.click(await button('Copy: Stream key'))
  await expect.poll(copied).toBe(key)

  await user.click(await button('QR code for a phone'))
  await screen.findByRole('img', { name: 'QR code with the address and stream key' })
  await user.keyboard('{Escape}')

  await user.click(screen.getByRole('radio', { name: 'SRT' }))
  await screen.findByText(/Set SRT latency to \d+ ms/)
  expect(location.search).toContain('by=srt')
  await user.click(await button('Copy: Address for bonded encoders'))
  await expect.poll(copied).toBe(`srtla://fra.example.com:8093?streamid=project/${person.projectId}&passphrase=${key}`)
  await user.click(screen.getByRole('radio', { name: 'ffmpeg' }))
  await screen.findByText(/Run the command below\. It streams to srt:\/\/fra\.example\.com:8093/)
  expect(await screen.findByRole('group', { name: 'Command' })).not.toHaveTextContent(key)
  await user.click(await button('Copy: Command'))
  await expect
    .poll(copied)
    .toContain(`-f mpegts 'srt://fra.example.com:8093?streamid=project/${person.projectId}&passphrase=${key}'`)
})

test('offers address and key of a backup encoder, and hides the key from viewers', async ({
  open,
  user,
  person,
  another,
  service,
  api,
}) => {
  const { key } = await api(streamKeys.get, { project_id: person.projectId })
  await report(service.services, { pingHost: new URL(service.url).host })
  await open(paths.ingest(person.projectId))
  await user.click(await button('Copy: Server for the backup'))
  await expect.poll(copied).toBe('rtmp://fra.example.com:1935/live')
  await user.click(await button('Copy: Stream key for the backup'))
  await expect.poll(copied).toBe(`${key}-backup`)
  await user.click(screen.getByRole('radio', { name: 'SRT' }))
  await user.click(await button('Copy: Address for the backup'))
  await expect
    .poll(copied)
    .toBe(`srt://fra.example.com:8093?streamid=project/${person.projectId}-backup&passphrase=${key}`)
  const viewer = await another('Looker')
  await service.join(viewer, person.projectId, 0)
  await open(paths.ingest(person.projectId), viewer)
  await screen.findByText(/Only editors and owners can see the key/)
  expect(screen.queryByRole('heading', { name: 'Backup encoder' })).toBeNull()
})

test('shows editors the statistics address, and replaces it', async ({ open, user, person, another, service, api }) => {
  const { url } = await api(streamKeys.stats, { project_id: person.projectId })
  await open(paths.ingest(person.projectId))
  await user.click(await button('Copy: Statistics address'))
  await expect.poll(copied).toBe(url)
  await user.click(await button('Replace address'))
  await confirm(user)
  const field = () => screen.findByLabelText<HTMLInputElement>('Statistics address')
  await expect.poll(async () => (await field()).value).toMatch(/\/stats\/[0-9a-f]{32}$/)
  await expect.poll(async () => (await field()).value).not.toBe(url)
  const viewer = await another('Viewer')
  await service.join(viewer, person.projectId, 0)
  await open(paths.ingest(person.projectId), viewer)
  await screen.findByText(/Only editors and owners can see the key/)
  expect(screen.queryByText('Statistics address')).toBeNull()
})

test('offers the configuration of OBS for two pictures, with its traps beside it', async ({ open, user, person }) => {
  await open(paths.ingest(person.projectId))
  await user.click(await button('Copy: Configuration for OBS'))
  const config = JSON.parse(await copied())
  expect(config).toMatchObject({ meta: { service: 'IVS', schema_version: '2025-01-25', config_id: 'relaydeck' } })
  expect(config.encoder_configurations).toMatchObject([
    { width: 1920, height: 1080, canvas_index: 0, settings: { keyint_sec: 2 } },
    { width: 1080, height: 1920, canvas_index: 1, settings: { keyint_sec: 2 } },
  ])
  expect(config.audio_configurations.live).toHaveLength(1)
  await screen.findByText(/names a canvas that does not exist/)
  await screen.findByText(/EnableCustomServerVodTrack=true/)
})

test('warns about an address that only this machine reaches', async ({ open, user, person, service }) => {
  // The node of the previous test has reported as well.
  service.clock.advance(1_000)
  await report(service.services, { rtmp: 'rtmp://127.0.0.1:1935/live', pingHost: new URL(service.url).host })
  await open(paths.ingest(person.projectId))
  await screen.findByText(/Only programs on this computer can reach 127\.0\.0\.1\./)
  await user.click(await button('QR code for a phone'))
  await expect.poll(() => dialog()).toHaveTextContent('A phone cannot reach 127.0.0.1.')
})

test('shows a viewer the end of the key and disables every setting', async ({
  open,
  person,
  another,
  service,
  api,
}) => {
  const { key } = await api(streamKeys.get, { project_id: person.projectId })
  const viewer = await another('Viewer')
  await service.join(viewer, person.projectId, 0)
  await open(paths.ingest(person.projectId), viewer)
  await expect.poll(keyField).toHaveValue(`••••${key.slice(-4)}`)
  await screen.findByText(/Only editors and owners can see the key/)
  expect(screen.queryByRole('button', { name: 'Replace stream key' })).toBeNull()
  expect(await screen.findByRole('switch', { name: 'Record broadcasts' })).toHaveAttribute('aria-disabled', 'true')
  expect(screen.getByLabelText('If the encoder disconnects, hold channels for')).toBeDisabled()
  expect(document.documentElement.outerHTML).not.toContain(key)
})

test('keeps the recording and wait settings after a reload', async ({ open, user, person, api }) => {
  const project = { project_id: person.projectId }
  await open(paths.ingest(person.projectId))
  const record = () => screen.findByRole('switch', { name: 'Record broadcasts' })
  const wait = () => screen.findByLabelText('If the encoder disconnects, hold channels for')
  await user.click(await record())
  await user.selectOptions(await wait(), '5 minutes')
  await expect.poll(record).toBeChecked()
  await expect.poll(wait).toHaveValue('5')
  const choices = within(await wait()).getAllByRole('option')
  expect(choices.map(({ textContent }) => textContent)).toEqual(['Do not hold', '1 minute', '2 minutes', '5 minutes'])
  await screen.findByText(/Your plan allows up to 5 minutes\./)
  await expect.poll(() => api(streamKeys.get, project)).toMatchObject({ wait: 5, record: true })
  await open(paths.ingest(person.projectId))
  await expect.poll(record).toBeChecked()
  await expect.poll(wait).toHaveValue('5')
})

test('sets when a poor encoder gives way to the backup, and takes it back', async ({ open, user, person, api }) => {
  const quality = async () => (await api(streamKeys.get, { project_id: person.projectId })).quality
  await open(paths.ingest(person.projectId))
  const rule = () => screen.findByRole('switch', { name: 'Switch to the backup at a low bitrate' })
  await user.click(await rule())
  await expect.poll(quality).toEqual({ kbps: 1_000, ms: 10_000, back_kbps: 1_500, back_ms: 20_000 })
  await user.selectOptions(await screen.findByLabelText('Bitrate below'), '2,000 kbps')
  await expect.poll(quality).toMatchObject({ kbps: 2_000, back_kbps: 3_000 })
  await screen.findByText('The main encoder takes over again after 20 s above 3,000 kbps.')
  await user.selectOptions(await screen.findByLabelText('For at least'), '5 s')
  await expect.poll(quality).toMatchObject({ kbps: 2_000, ms: 5_000 })
  // A switch takes no click while a request is in flight.
  await expect.poll(rule).not.toHaveAttribute('aria-busy')
  await user.click(await rule())
  await expect.poll(quality).toBeNull()
})

test('replaces a key that another secret of the server has sealed', async ({ open, user, person, service, api }) => {
  await api(streamKeys.get, { project_id: person.projectId })
  const { db } = service.app
  await db.updateTable('stream_keys').set({ key_sealed: 'AAAA' }).where('project_id', '=', person.projectId).execute()
  await open(paths.ingest(person.projectId))
  await screen.findByText('The server’s secret has changed since this key was created. Replace the key.')
  await user.click(await button('Replace stream key'))
  await confirm(user)
  await expect.poll(async () => (await keyField()).value).toMatch(/^[0-9a-f]{32}$/)
})

test('has no pull keys on the free plan, and one after an upgrade', async ({
  open,
  user,
  person,
  service,
  api,
  fill,
}) => {
  await open(paths.ingest(person.projectId, 'pull'))
  await expect.poll(() => button('New pull key')).toHaveAttribute('aria-disabled', 'true')
  await screen.findByText(/Your plan does not include pull keys\./)
  await screen.findByRole('link', { name: 'Compare plans' })

  await api(restream.buy, { project_id: person.projectId, period: 'month', plan_restream_id: 2 })
  await report(service.services, { pingHost: new URL(service.url).host })
  await open(paths.ingest(person.projectId, 'pull'))
  await expect.poll(() => button('New pull key')).not.toHaveAttribute('aria-disabled', 'true')
  await user.click(await button('New pull key'))
  await user.click(within(await dialog('New pull key')).getByRole('radio', { name: 'HLS' }))
  await fill('Name', 'Big screen')
  await user.click(await button('New pull key', await dialog()))
  await screen.findByText(/The only pull key of your plan is in use\./)
  await expect.poll(() => button('New pull key')).toHaveAttribute('aria-disabled', 'true')

  await user.click(await button('Copy: Playback address'))
  await expect.poll(copied).toMatch(/^https:\/\/fra\.example\.com\/pull\/[0-9a-f-]{36}\/index\.m3u8$/)
  await user.click(await button('Check'))
  await screen.findByText(/The key works\. It is not in use now\./)

  await user.click(await button('Rename Big screen'))
  await fill('Name', 'Lobby')
  await user.click(await button('Save', await dialog()))
  await user.click(await button('Delete Lobby'))
  await user.click(await button('Delete key', await dialog()))
  await screen.findByText('No pull keys yet')
  expect(await button('New pull key')).not.toHaveAttribute('aria-disabled', 'true')
})
