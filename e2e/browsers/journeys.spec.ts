// Journeys in Firefox and WebKitGTK: sign-in, a plan, an expired token, a broadcast, two tabs, a lost connection.
import { expect } from '@playwright/test'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { quickly } from '#e2e/fixtures/on-air.ts'
import type { Person } from '#e2e/fixtures/person.ts'
import { startRelay } from '#e2e/fixtures/relay.ts'
import { paths } from '#src/lib/paths.ts'
import type { Tab } from './tab.ts'
import { test } from './test.ts'

// One after the other: they share a service, and one of them cuts its line.
test.describe.configure({ mode: 'default' })

const home = 'Your first broadcast'

async function signIn(tab: Tab, { email, password }: Person): Promise<void> {
  await tab.goto(paths.signIn())
  await tab.click('button', 'Sign in')
  await tab.fill('E-mail', email)
  await tab.fill('Password', password)
  await tab.click('button', 'Sign in')
  await tab.isAt(/^\/p\/\d+$/)
  await tab.shows(home)
}

test('signs in, buys a plan, and stays signed in when the access token expires', async ({
  openTab,
  person,
  installed: { service },
  api,
}) => {
  const tab = await openTab()
  await signIn(tab, person)
  await tab.goto(`${paths.tariffs(person.projectId)}?plan=3`)
  await tab.click('button', 'Buy Pro for $11.90')
  await tab.shows('Buy Pro?')
  await tab.click('button', 'Buy Pro for $11.90')
  await tab.shows('You paid $11.90 for one month of Pro')
  const { current } = await api(restream.slots, { project_id: person.projectId })
  expect(current?.id).toBe(3)

  const pairs = async (): Promise<number> => {
    const rows = await service.app.db.selectFrom('refresh_tokens').select('id').execute()
    return rows.length
  }
  const before = await pairs()
  service.clock.advance((service.app.services.config.accessSeconds + 1) * 1_000)
  await tab.click('link', 'Channels')
  await tab.shows('No channels yet')
  expect(await pairs()).toBe(before + 1)
  service.clock.set(new Date())
})

test('shows a broadcast, and stops it', async ({ openTab, person, installed: { service }, api }) => {
  const relay = await startRelay(service, { timing: quickly })
  try {
    const project = { project_id: person.projectId }
    const rtmp_url = `rtmp://127.0.0.1:${relay.platform.port}/live`
    const added = await api(addChannel.boosty, { ...project, name: 'One', rtmp_url, stream_key: 'secret-key' })
    await api(channels.setStatus, { channel_id: added.channel_id, status: true })
    const tab = await openTab()
    await signIn(tab, person)
    await relay.encode((await api(streamKeys.get, project)).key)
    // By the realtime connection: the page asks nothing.
    await tab.shows('One is live')
    await tab.click('button', 'Stop')
    await tab.click('button', 'Stop broadcast')
    await tab.shows('You are off air')
  } finally {
    await relay.close()
  }
})

test('signs out in two tabs', async ({ openTab, person }) => {
  const [tab, other] = [await openTab(), await openTab()]
  await signIn(tab, person)
  await other.goto(paths.home(person.projectId))
  await other.shows(home)
  await tab.click('button', 'Account')
  await tab.click('button', 'Sign out')
  await tab.isAt(/sign-in/)
  await other.isAt(/sign-in/)
})

test('opens without network, and continues when it returns', async ({ openTab, person, installed: { line } }) => {
  const tab = await openTab()
  await signIn(tab, person)
  await tab.keepsItsFiles()
  await line.cut()
  try {
    await tab.reload()
    await tab.shows('Cannot reach the server.')
  } finally {
    await line.mend()
  }
  await tab.shows(home)
  await tab.hides('Cannot reach the server.')
})
