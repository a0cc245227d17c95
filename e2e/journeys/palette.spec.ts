// Broadcast commands of the command palette, from any page and without a mouse.
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { axe } from '#e2e/fixtures/accessible.ts'
import { onAir as test } from '#e2e/fixtures/on-air.ts'
import { expect } from '#e2e/fixtures/test.ts'
import { paths } from '#src/lib/paths.ts'

test('pauses, resumes, disables a channel and stops a broadcast by the palette', async ({
  page,
  context,
  person,
  api,
  relay,
  visit,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const project = { project_id: person.projectId }
  const rtmp_url = `rtmp://127.0.0.1:${relay.platform.port}/live`
  const { channel_id } = await api(addChannel.boosty, { ...project, name: 'One', rtmp_url, stream_key: 'secret-key' })
  await api(channels.setStatus, { channel_id, status: true })
  const { key } = await api(streamKeys.get, project)
  await relay.encode(key)
  await expect.poll(async () => (await api(broadcasts.status, project)).kind).toBe('live')
  await visit(paths.tariffs(person.projectId))

  const palette = page.getByRole('dialog', { name: 'Search pages and actions' })
  /** Selects the first row for this text. */
  const take = async (words: string, row: string) => {
    await expect(palette).toBeHidden()
    await page.keyboard.press('Control+K')
    await palette.getByRole('combobox').fill(words)
    await expect(palette.getByRole('option').first()).toHaveText(row)
    await page.keyboard.press('Enter')
  }
  const action = async () => {
    const status = await api(broadcasts.status, project)
    return status.kind === 'live' ? status.action : status.kind
  }

  await take('pause', 'PauseOn air')
  await expect(palette.getByRole('status')).toHaveText('Done: Pause')
  expect(await action()).toBe('stopped')
  await take('resume', 'ResumeOn air')
  await expect.poll(action).toBe('active')

  await take('copy key', 'Copy stream keyStream setup')
  await expect(palette.getByRole('status')).toHaveText('Done: Copy stream key')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)

  await take('one off', 'Switch off OneChannels')
  await expect(palette.getByRole('status')).toHaveText('Done: Switch off One')
  await expect.poll(async () => (await api(channels.get, { ...project, channel_id })).active).toBe(false)

  await take('stop', 'Stop broadcastOn air')
  const question = page.getByRole('dialog', { name: 'Stop the broadcast?' })
  expect.soft(await axe(page)).toEqual([])
  await question.getByRole('button', { name: 'Stop broadcast' }).click()
  await expect.poll(action).toBe('inactive')
  // The palette replaces the question with the result, and closes.
  await expect(question).toBeHidden()
  await expect(palette).toBeHidden()
  await page.keyboard.press('Control+K')
  await palette.getByRole('combobox').fill('storage')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(paths.tariffs(person.projectId, 'storage'))
})
