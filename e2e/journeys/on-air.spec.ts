// A broadcast in a browser: a channel that drops and reconnects, Stop, history.
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { axe, scrollsSideways } from '#e2e/fixtures/accessible.ts'
import { onAir as test } from '#e2e/fixtures/on-air.ts'
import { expect } from '#e2e/fixtures/test.ts'
import { paths } from '#src/lib/paths.ts'

test('shows a platform that drops and reconnects, then Stop, and lists both in the history', async ({
  page,
  person,
  login,
  api,
  relay,
}) => {
  const project = { project_id: person.projectId }
  const rtmp_url = `rtmp://127.0.0.1:${relay.platform.port}/live`
  const added = await api(addChannel.boosty, { ...project, name: 'One', rtmp_url, stream_key: 'secret-key' })
  await api(channels.setStatus, { channel_id: added.channel_id, status: true })

  await login()
  await expect(page.getByRole('heading', { name: 'Your first broadcast' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy address' })).toBeVisible()

  const { key } = await api(streamKeys.get, project)
  const encoder = await relay.encode(key)
  const main = page.getByRole('main')
  const row = main.getByRole('list', { name: 'Channels' }).getByRole('listitem').filter({ hasText: 'One' })
  await expect(main.getByRole('heading', { name: /On air/ })).toBeVisible()
  await expect(row).toContainText('Live')
  await expect(main.getByRole('status').filter({ hasText: /One is live/ })).toHaveCount(1)
  await expect(page.getByRole('banner').getByRole('link', { name: 'On air' })).toBeVisible()
  await expect(main.getByText('H.264')).toBeVisible()
  expect.soft(await axe(page)).toEqual([])

  await relay.platform.down()
  await expect(row).toContainText('Retrying')
  await expect(row).toContainText(/Attempt \d+ in \d+ s/)
  await expect(main.getByRole('status').filter({ hasText: 'One is not connected. Retrying' })).toHaveCount(1)
  // The platform is still unreachable: the row shows the reason.
  await row.getByRole('button', { name: 'Retry now: One' }).click()
  await expect(row).toContainText('The server refused the connection.')
  await row.getByRole('link', { name: 'One' }).click()
  await expect(main.getByRole('region', { name: 'State' })).toContainText('Problem')
  await main.getByRole('link', { name: 'See why on Home' }).click()
  await relay.platform.up()
  const retry = row.getByRole('button', { name: 'Retry now: One' })
  await expect(retry).toHaveText('Retry now')
  await retry.focus()
  await page.keyboard.press('Enter')
  await expect(row).toContainText('Live')
  await expect(retry).toBeHidden()
  // The button disappears: focus stays in its row.
  await expect(row.locator(':focus')).toHaveCount(1)
  await expect(row).toContainText('1 reconnect')

  await main.getByRole('button', { name: 'Stop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop the broadcast?' })
  await dialog.getByRole('button', { name: 'Stop broadcast' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { name: 'You are off air' })).toBeVisible()
  expect((await api(broadcasts.status, project)).kind).toBe('inactive')
  // Encoders reconnect by themselves, and stay off air until a person allows them.
  encoder.destroy()
  const again = await relay.encode(key)
  await expect(main.getByText('The broadcast was stopped, but your encoder is still sending')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'You are off air' })).toBeVisible()
  expect.soft(await axe(page)).toEqual([])
  let isOver = false
  void again.over.then(() => (isOver = true))
  await main.getByRole('button', { name: 'Go live again' }).click()
  await expect(main.getByRole('heading', { name: /On air/ })).toBeVisible()
  expect(isOver).toBe(false)
  await main.getByRole('button', { name: 'Stop' }).click()
  await dialog.getByRole('button', { name: 'Stop broadcast' }).click()
  await expect(page.getByRole('heading', { name: 'You are off air' })).toBeVisible()

  await main.getByRole('link', { name: 'All broadcasts' }).click()
  await expect(page).toHaveURL(paths.broadcasts(person.projectId))
  const line = main.getByRole('list', { name: 'Broadcasts' }).getByRole('listitem')
  await expect(line).toHaveCount(2)
  await line.last().getByRole('link').click()
  const events = main.getByRole('list', { name: 'Events' }).getByRole('listitem')
  await expect(events.first()).toContainText('Broadcast ended')
  await expect(events.last()).toContainText('On air')
  await main.getByLabel('Level').selectOption('warning')
  await expect(page).toHaveURL(/level=warning/)
  await expect(events.first()).toContainText('One: not connected')
  const saving = page.waitForEvent('download')
  await main.getByRole('group', { name: 'Export events' }).getByRole('button', { name: 'CSV' }).click()
  expect((await saving).suggestedFilename()).toMatch(/^broadcast-\d+-events\.csv$/)
  expect.soft(await axe(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  // The graph follows the size after a frame.
  await expect.poll(() => scrollsSideways(page)).toBe(false)
})

test('keeps a paused channel connected and sends it nothing', async ({ page, person, login, api, relay, watch }) => {
  const project = { project_id: person.projectId }
  const rtmp_url = `rtmp://127.0.0.1:${relay.platform.port}/live`
  const added = await api(addChannel.boosty, { ...project, name: 'One', rtmp_url, stream_key: 'secret-key' })
  await api(channels.setStatus, { channel_id: added.channel_id, status: true })
  await login()
  await relay.encode((await api(streamKeys.get, project)).key)
  const main = page.getByRole('main')
  const row = main.getByRole('list', { name: 'Channels' }).getByRole('listitem').filter({ hasText: 'One' })
  const pause = main.getByRole('button', { name: 'Pause' })
  await expect(row).toContainText('Live')
  await test.step('keeps row and focus of a disabled channel until focus leaves the list', async () => {
    await row.getByRole('switch').focus()
    await page.keyboard.press('Space')
    await expect(row.getByRole('switch')).not.toBeChecked()
    await expect(row).toContainText('Off')
    await expect(row.getByRole('switch')).toBeFocused()
    await pause.focus()
    await expect(main.getByText('1 channel is off')).toBeVisible()
    await main.locator('details').getByRole('switch', { name: 'Stream to One' }).click()
    await expect(row).toContainText('Live')
  })
  await test.step('reports a failed pause, and keeps its button in place', async () => {
    watch.allow(/status of 503/)
    await page.route(`**${broadcasts.pause.path}*`, (route) => route.fulfill({ status: 503, body: '' }))
    const before = await pause.boundingBox()
    await pause.click()
    await expect(main.getByRole('alert').filter({ hasText: 'The server returned an error (503).' })).toBeVisible()
    expect(await pause.boundingBox()).toEqual(before)
    await page.unroute(`**${broadcasts.pause.path}*`)
  })
  await pause.click()
  await expect(row).toContainText('Waiting')
  await expect(row).not.toContainText(/live/i)
  await main.getByRole('button', { name: 'Resume' }).click()
  await expect(row).toContainText('Live')
})

test('shows that a channel never went live, and why, after the broadcast', async ({
  page,
  person,
  login,
  goto,
  api,
  relay,
  watch,
}) => {
  // The page may ask for the picture in the moment in which the encoder is lost.
  watch.allow(/status of 503 .*\/preview\//)
  const project = { project_id: person.projectId }
  await relay.platform.down()
  const rtmp_url = `rtmp://127.0.0.1:${relay.platform.port}/live`
  const added = await api(addChannel.boosty, { ...project, name: 'One', rtmp_url, stream_key: 'secret-key' })
  await api(channels.setStatus, { channel_id: added.channel_id, status: true })
  await login()
  const encoder = await relay.encode((await api(streamKeys.get, project)).key)
  const main = page.getByRole('main')
  await expect(main.getByText('The server refused the connection.').first()).toBeVisible()
  await test.step('counts down to the end of the broadcast when the encoder is lost', async () => {
    encoder.destroy()
    await expect(main.getByText(/Holding your channels for \d+:\d\d while it reconnects/)).toBeVisible()
  })
  await main.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Stop broadcast' }).click()
  await expect(page.getByRole('heading', { name: 'You are off air' })).toBeVisible()
  await expect(main.getByText('1 channel never went live')).toBeVisible()
  await goto(paths.broadcasts(person.projectId))
  await main.getByRole('list', { name: 'Broadcasts' }).getByRole('link').click()
  const row = main.getByRole('list', { name: 'Channels', exact: true }).getByRole('listitem')
  await expect(row).toContainText('Never went live')
  await expect(row).toContainText('The server refused the connection.')
  expect.soft(await axe(page)).toEqual([])
})
