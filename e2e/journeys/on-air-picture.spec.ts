// A broadcast with a real encoder: preview playback, and a platform that drops and reconnects. Prints durations.
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { onAir as test, quickly } from '#e2e/fixtures/on-air.ts'
import { expect } from '#e2e/fixtures/test.ts'
import { faultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { folder, hasPrograms, publish, sample } from '#server/relay/testing/programs.ts'

test.use({ timing: quickly })
test.skip(!hasPrograms, 'a picture needs ffmpeg')

test('plays the preview; a platform drops and reconnects while the other receives every frame', async ({
  page,
  context,
  person,
  login,
  api,
  relay,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const project = { project_id: person.projectId }
  const steady = await faultyPlatform()
  const add = async (name: string, port: number) => {
    const rtmp_url = `rtmp://127.0.0.1:${port}/live`
    const { channel_id } = await api(addChannel.boosty, { ...project, name, rtmp_url, stream_key: 'secret-key' })
    await api(channels.setStatus, { channel_id, status: true })
  }
  await add('One', relay.platform.port)
  await add('Two', steady.port)
  const file = await sample(folder(), 8)
  const figures: Record<string, string | number> = {}
  const measure = async (name: string, work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    figures[name] = `${Math.round(performance.now() - began)} ms`
  }

  await login()
  await page.getByRole('button', { name: 'Copy stream key' }).click()
  const { key } = await api(streamKeys.get, project)
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  await expect(page.getByRole('button', { name: 'Copy address' })).toBeVisible()

  const main = page.getByRole('main')
  const row = (name: string) =>
    main.getByRole('list', { name: 'Channels', exact: true }).getByRole('listitem').filter({ hasText: name })
  const encoder = publish(file, `rtmp://127.0.0.1:${relay.port}/live/${key}`, ['-stream_loop', '-1'])
  try {
    await measure('ffmpeg is started, Home is on air', () =>
      expect(main.getByRole('heading', { name: 'On air', exact: true })).toBeVisible(),
    )
    await measure('both channels are live after', () =>
      expect(main.getByText('All channels are live (2 of 2)')).toBeVisible(),
    )
    await expect(page).toHaveTitle(/^● On air · Home/)

    const picture = main.getByRole('region', { name: 'Live preview' }).locator('video')
    const played = () => picture.evaluate((video: HTMLVideoElement) => video.currentTime)
    await measure('the picture plays after', () => expect.poll(played, { timeout: 20_000 }).toBeGreaterThan(0.5))
    const before = await played()
    await expect.poll(played).toBeGreaterThan(before + 2)
    const frames = await picture.evaluate((video: HTMLVideoElement) => {
      const { droppedVideoFrames: dropped, totalVideoFrames: total } = video.getVideoPlaybackQuality()
      const { buffered, currentTime } = video
      return { dropped, total, behindMs: Math.round((buffered.end(buffered.length - 1) - currentTime) * 1000) }
    })
    Object.assign(figures, frames)
    expect(frames.total).toBeGreaterThan(30)

    await expect(row('Two')).toContainText(/live for 0:\d\d · [\d,]+\skbps/)
    const arrived = steady.arrived.length
    await relay.platform.down()
    await measure('a lost platform is shown', () => expect(row('One')).toContainText('Retrying'))
    await expect(row('One')).toContainText('The server refused the connection.')
    await expect(main.getByText('1 of 2 channels are live')).toBeVisible()
    await expect(page).toHaveTitle(/^● Warning/)
    await relay.platform.up()
    await measure('it is live again after', () => expect(row('One')).toContainText('Live'))
    await expect(row('One')).toContainText('1 reconnect')
    await expect(row('Two')).not.toContainText('reconnect')
    expect(steady.arrived.length).toBeGreaterThan(arrived)
    expect(steady.connections(), 'the other platform was connected once, and never paused').toBe(1)
    expect(longestGap(steady.arrived), 'milliseconds between its pictures').toBeLessThanOrEqual(50)

    await main.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop broadcast' }).click()
    // The encoder could end the broadcast first.
    await expect(page.getByRole('dialog')).toBeHidden()
    await encoder.stop()
    await expect(page.getByRole('heading', { name: 'You are off air' })).toBeVisible()
    await main.getByRole('list', { name: 'Last broadcast' }).getByRole('link').click()
    await expect(main.getByRole('slider', { name: 'Timeline' }).locator('canvas')).toBeVisible()
    await expect(main.getByText(/average [\d,]+\skbps, [\d,]+\skbps to [\d,]+\skbps/)).toBeVisible()
  } finally {
    await encoder.stop()
    await steady.stop()
  }
  console.log('On air:', JSON.stringify(figures))
})

test('plays HLS natively in a browser without Media Source Extensions', async ({ page, person, login, api, relay }) => {
  // As on phones.
  await page.addInitScript(() => {
    for (const name of ['MediaSource', 'ManagedMediaSource', 'WebKitMediaSource'])
      Reflect.deleteProperty(globalThis, name)
  })
  const project = { project_id: person.projectId }
  await login()
  const knowsHls = await page.evaluate(
    () => document.createElement('video').canPlayType('application/vnd.apple.mpegurl') !== '',
  )
  test.skip(!knowsHls, 'this browser knows no HLS')
  const { key } = await api(streamKeys.get, project)
  const file = await sample(folder(), 8)
  const encoder = publish(file, `rtmp://127.0.0.1:${relay.port}/live/${key}`, ['-stream_loop', '-1'])
  try {
    const picture = page.getByRole('region', { name: 'Live preview' }).locator('video')
    const played = () => picture.evaluate((video: HTMLVideoElement) => video.currentTime)
    await expect(picture).toHaveAttribute('src', /\/preview\/\d+\/index\.m3u8\?ticket=/, { timeout: 30_000 })
    await expect.poll(played, { timeout: 40_000 }).toBeGreaterThan(0.5)
    await page.getByRole('button', { name: 'Hide preview' }).click()
    await expect(picture).not.toHaveAttribute('src')
  } finally {
    await encoder.stop()
  }
})

/** Gap between two frames of one connection, by their timestamps. */
function longestGap(arrived: Awaited<ReturnType<typeof faultyPlatform>>['arrived']): number {
  const times = arrived.filter(({ packet }) => packet.kind === 'video').map(({ packet }) => packet.timestamp)
  return times.slice(1).reduce((most, time, index) => Math.max(most, time - (times[index] ?? time)), 0)
}
