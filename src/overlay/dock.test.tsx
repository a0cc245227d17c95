// The dock on the real service: it switches channels, pauses, sets titles, and names why a channel fails.
import { afterEach } from 'vitest'
import { apiTokens } from '#contract/areas/account/api-tokens.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import { someNodeOf } from '#server/testing/on-air.ts'
import { expect, type Service, test } from '#src/testing/page-test.tsx'
import { startDock } from './dock.ts'
import { sample } from './widgets/sample.ts'

let stop = () => {}
afterEach(() => {
  stop()
  document.body.innerHTML = ''
})

const text = () => document.querySelector('#dock')?.textContent ?? ''
const find = (selector: string) => document.querySelector<HTMLElement>(`#dock ${selector}`)

function open({ url }: Service, hash: string): void {
  document.body.innerHTML = '<main id="dock"></main>'
  const at = { baseUrl: url, realtimeUrl: `${url.replace('http', 'ws')}/connection/websocket` }
  stop = startDock(document.querySelector<HTMLElement>('#dock')!, hash, at)
}

test('switches channels, pauses and resumes, names failing channels, and says when its token is revoked', async ({
  service,
  person,
  api,
}) => {
  const project = { project_id: person.projectId }
  const { channel_id } = await api(addChannel.any, {
    ...project,
    type: 'youtube',
    name: 'Main',
    rtmp_url: 'rtmp://ingest.example.com/live',
    stream_key: 'a-key-of-the-dock',
  })
  await someNodeOf(service, `node-${person.projectId}`).begin(person.projectId)
  const made = await api(apiTokens.create, {
    name: 'Dock',
    scopes: ['control', 'broadcasts:read', 'channels:read'],
    ...project,
  })
  open(service, `#project=${person.projectId}&token=${made.token}`)
  await expect.poll(() => find('.pause')?.textContent, { timeout: 60_000 }).toBe('Pause')
  await expect.poll(() => find('.switch')?.getAttribute('aria-checked')).toBe('true')
  const active = async () => (await api(channels.search, project)).results.map((one) => one.active)
  find('.switch')?.click()
  await expect.poll(active).toEqual([false])
  await expect.poll(() => find('.switch')?.getAttribute('aria-checked')).toBe('false')
  // Switched elsewhere.
  await api(channels.setStatus, { ...project, channel_id, status: true })
  await expect.poll(() => find('.switch')?.getAttribute('aria-checked')).toBe('true')

  const statusOf = async () => (await api(broadcasts.status, project)).status
  find('.pause')?.click()
  await expect.poll(statusOf).toBe('pause')
  const failing: OnAir = {
    ...sample(Date.now()),
    status: 'lost',
    fill: 'clip',
    restreams: [
      { id: 1, channel_id, status: 'error', state: 'rejected', reason: 'publish-rejected', words: '<i>no</i>' },
    ],
  }
  service.services.realtime.publish(
    { type: 'project_live', id: person.projectId },
    { event: 'live-status', payload: failing },
  )
  await expect
    .poll(() => find('.why')?.textContent)
    .toBe('The server rejected the stream. Check the stream key. Server message: “<i>no</i>”.')
  expect(find('.fill')?.textContent).toBe('Channels receive your video.')
  const input = find('input') as HTMLInputElement
  input.value = 'A new title'
  find('form')?.dispatchEvent(new SubmitEvent('submit', { cancelable: true, bubbles: true }))
  await expect.poll(() => find('.note')?.textContent).toBe('Channels with the new title: 0 of 1.')
  await api(apiTokens.revoke, { token_id: made.id })
  await expect.poll(() => find('.note')?.textContent).toContain('The service refuses the token')
})

test('asks for another address where the token is missing', async ({ service }) => {
  for (const hash of ['', '#project=7', '#project=x&token=rdk_x']) {
    open(service, hash)
    await expect.poll(text).toContain('The address has no token.')
    stop()
  }
})
