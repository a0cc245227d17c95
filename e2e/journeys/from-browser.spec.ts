// A stream from the browser itself: a fake camera and microphone, on air, recorded by a platform and decoded.
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { axe, scrollsSideways } from '#e2e/fixtures/accessible.ts'
import { onAir as test, quickly } from '#e2e/fixtures/on-air.ts'
import { expect } from '#e2e/fixtures/test.ts'
import { decodeErrors, hasPrograms, platform, probe, type ProbedPacket } from '#server/relay/testing/programs.ts'

test.use({ timing: quickly, permissions: ['camera', 'microphone'] })
test.skip(!hasPrograms, 'decoding needs ffmpeg')

/** Time of the last packet of sound or picture, seconds. */
const lastOf = (packets: readonly ProbedPacket[], kind: ProbedPacket['codec_type']): number =>
  packets.findLast(({ codec_type }) => codec_type === kind)?.dts_time ?? 0

test('goes live with camera and microphone; the platform receives a stream that decodes', async ({
  page,
  person,
  login,
  api,
  relay,
  watch,
}) => {
  expect(relay.port).toBeGreaterThan(0)
  watch.allow(/The AudioContext was not allowed/)
  const project = { project_id: person.projectId }
  await api(streamKeys.setWait, { ...project, wait_minutes: 1, hold: false })
  const nginx = await platform()
  try {
    const rtmp_url = `rtmp://127.0.0.1:${nginx.port}/live`
    const { channel_id } = await api(addChannel.boosty, { ...project, name: 'One', rtmp_url, stream_key: 'secret' })
    await api(channels.setStatus, { channel_id, status: true })
    await login()
    const open = page.getByRole('button', { name: 'Go live from this browser' })
    // By keyboard.
    await open.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Go live from this browser' })
    const camera = dialog.getByRole('button', { name: 'Use camera' })
    await expect(camera).toBeVisible()
    expect.soft(await axe(page)).toEqual([])
    await camera.focus()
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('combobox', { name: 'Microphone' })).not.toHaveValue('none')
    await expect(dialog.getByRole('combobox', { name: 'Picture' })).toContainText('fake_device_0')
    const video = dialog.locator('video')
    await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.videoWidth)).toBeGreaterThan(0)
    expect.soft(await axe(page)).toEqual([])
    expect.soft(await scrollsSideways(page)).toBe(false)
    await dialog.getByRole('button', { name: 'Go live' }).click()
    await expect(dialog.getByText(/You are live at [\d,]+\skbps/)).toBeVisible()
    const main = page.getByRole('main')
    await expect(main.getByText('All channels are live (1 of 1)')).toBeAttached()
    const liveAt = Date.now()
    // Leaving asks first.
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Stay live' }).click()
    const recordedMs = 12_000
    await expect.poll(() => Date.now() - liveAt, { timeout: 60_000 }).toBeGreaterThan(recordedMs)
    // Sound and picture have one clock. A busy machine encodes one of them later for a while.
    const apart = async () => {
      const packets = await probe(nginx.recordings('secret')[0] ?? '')
      return Math.abs(lastOf(packets, 'audio') - lastOf(packets, 'video'))
    }
    await expect.poll(apart, { timeout: 60_000 }).toBeLessThan(1)
    const [row] = (await api(broadcasts.list, project)).results
    const { results } = await api(broadcasts.events, { ...project, broadcast_id: row?.id ?? 0 })
    expect(results.filter(({ kind }) => kind === 'source-lost')).toEqual([])
    await dialog.getByRole('button', { name: 'End stream' }).click()
    await expect(dialog.getByRole('button', { name: 'Go live' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('heading', { name: 'You are off air' })).toBeVisible()

    const file = await nginx.recorded('secret')
    expect(await decodeErrors(file)).toBe('')
    const packets = await probe(file)
    const pictures = packets.filter(({ codec_type }) => codec_type === 'video')
    const keys = pictures.flatMap(({ key, dts_time }, at) => (key ? [{ at, time: dts_time }] : []))
    // The first keyframes of a connection are demanded.
    const groups = keys.slice(2).map(({ at, time }, index) => {
      const began = keys[index + 1]?.time ?? 0
      return { seconds: time - began, before: (pictures[at - 1]?.dts_time ?? 0) - began }
    })
    expect(groups.length).toBeGreaterThanOrEqual(4)
    // Each is the first frame after two seconds; a busy machine leaves frames out.
    for (const { seconds, before } of groups) {
      expect(seconds).toBeGreaterThan(1.9)
      expect(before).toBeLessThan(2.05)
    }
    const [middle = 0] = groups
      .map(({ seconds }) => seconds)
      .toSorted((one, other) => one - other)
      .slice(groups.length / 2)
    expect(Math.abs(middle - 2)).toBeLessThan(0.2)
    expect(packets.filter(({ codec_type }) => codec_type === 'audio').length).toBeGreaterThan(400)
    console.log(`Seconds between keyframes: ${groups.map(({ seconds }) => seconds.toFixed(2)).join(' ')}`)
  } finally {
    await nginx.stop()
  }
})
