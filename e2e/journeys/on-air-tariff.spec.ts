// Tariff limits while on air: the reason, the figures and the possible actions.
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { axe, scrollsSideways } from '#e2e/fixtures/accessible.ts'
import { onAir as test } from '#e2e/fixtures/on-air.ts'
import { expect } from '#e2e/fixtures/test.ts'
import { sendTooMuch } from '#server/relay/testing/encoder.ts'
import { paths } from '#src/lib/paths.ts'

// The warning stays long enough to be read on a busy machine.
test.use({ bitrate: { patienceMs: 8_000, refuseMs: 60_000 } })

test('warns about a bitrate above the tariff with figures, then disconnects the encoder and shows the reason', async ({
  page,
  person,
  login,
  api,
  relay,
}) => {
  const project = { project_id: person.projectId }
  await api(streamKeys.setWait, { ...project, wait_minutes: 5 })
  await login()
  const main = page.getByRole('main')
  // An announcement leaves the page after some seconds, before a busy machine looks.
  const announced = await page.evaluateHandle(() => {
    const texts: string[] = []
    const note = () => document.querySelectorAll('[role=status], output').forEach((one) => texts.push(one.textContent))
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
    return texts
  })
  const said = () => announced.evaluate((texts) => texts.join('\n'))
  const encoder = await relay.encode((await api(streamKeys.get, project)).key)
  await expect(main.getByRole('heading', { name: 'On air', exact: true })).toBeVisible()
  const end = sendTooMuch(encoder)
  try {
    const reasons = main.getByRole('list', { name: 'Verdict' }).getByRole('listitem')
    const warning = reasons.filter({ hasText: 'Bitrate is above your plan’s limit' })
    const soon = { timeout: 30_000 }
    await Promise.all([
      expect(warning).toContainText(/[\d,]+\skbps, at most [\d,]+\skbps/, soon),
      expect(warning).toContainText('Lower the bitrate in your encoder', soon),
      expect.poll(said, soon).toContain('Warning: Bitrate is above your plan’s limit'),
    ])
    const away = reasons.filter({ hasText: 'Encoder disconnected: bitrate stayed above your plan’s limit' })
    await expect(away).toContainText('start again in a minute', soon)
    await expect.poll(said, soon).toContain('Problem: Encoder disconnected: bitrate')
    await expect(main.getByRole('heading', { name: 'Encoder disconnected', exact: true })).toBeVisible()
    expect.soft(await axe(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    expect.soft(await scrollsSideways(page)).toBe(false)
  } finally {
    end()
  }
  // The test no longer waits for this response.
  await api(streamKeys.setWait, { ...project, wait_minutes: 0 })
  await expect(page.getByRole('heading', { name: 'You are off air' })).toBeVisible()
  const why = main.getByText(/The last broadcast ended because its bitrate stayed above/)
  await expect(why).toContainText(/\d+ > \d+ kbps/)
  await why.getByRole('link', { name: 'View plans' }).click()
  await expect(page).toHaveURL(paths.tariffs(person.projectId))
})

test('marks the channels above the tariff limit, with the numbers', async ({
  page,
  person,
  login,
  api,
  relay,
  service,
}) => {
  const project = { project_id: person.projectId }
  const rtmp_url = `rtmp://127.0.0.1:${relay.platform.port}/live`
  const max = (await api(restream.slots, project)).current?.channel_max ?? 0
  for (let count = 1; count <= max + 1; count++)
    await api(addChannel.boosty, { ...project, name: `Channel ${count}`, rtmp_url, stream_key: `key-${count}` })
  // The same state as after an expired tariff.
  await service.app.db
    .updateTable('project_channels')
    .set({ active: 1 })
    .where('project_id', '=', person.projectId)
    .execute()
  await login()
  await relay.encode((await api(streamKeys.get, project)).key)
  const main = page.getByRole('main')
  const rows = main.getByRole('list', { name: 'Channels', exact: true }).getByRole('listitem')
  await expect(rows.filter({ hasText: 'Live' })).toHaveCount(max)
  const left = rows.filter({ hasText: 'Not sending' })
  await expect(left).toHaveCount(1)
  await expect(left).toContainText(`your plan allows ${max} channels at once and ${max + 1} are on.`)
  await expect(left.getByRole('link', { name: 'View plans' })).toBeVisible()
  const status = await api(broadcasts.status, project)
  expect(status.kind === 'live' && status.restreams.length).toBe(max)
})
