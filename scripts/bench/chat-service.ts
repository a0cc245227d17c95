// Cost of chat to the service: a double of Twitch's IRC sends 200 messages a second, 20 overlays and one page listen.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { settings } from '#contract/areas/chat/settings.ts'
import { tokens } from '#contract/areas/realtime/tokens.ts'
import type { ChatBatch } from '#contract/events/chat.ts'
import { channelName } from '#contract/events/channels.ts'
import { call } from '#server/testing/request.ts'
import { type Person, signUp } from '#e2e/fixtures/person.ts'
import { openDatabase } from '#server/db/open.ts'
import { someAddress, someKey } from '#server/testing/channels.ts'
import { twitchChatDouble } from '#server/testing/chat/twitch.ts'
import { serviceProcess } from '#server/testing/process.ts'
import { registeredAt } from '#server/testing/providers/connected.ts'
import { atEnd } from '#scripts/house/step.ts'
import { cpuOf } from './load.ts'
import { megabytes, type Row } from './table.ts'

const perSecond = 200
const listeners = 20
const seconds = 8
const goals = { processor: 6, memory: 15_000_000, p50: 150, p95: 400, othersMs: 20 }

/** Measures a service of its own. */
export async function measureChatService(): Promise<Row[]> {
  const twitch = await twitchChatDouble()
  const service = serviceProcess({ ...registeredAt(twitch.base), LOG_LEVEL: 'warn' })
  const stop = atEnd(async () => {
    service.close()
    await twitch.close()
  })
  const { child, url } = await service.start()
  const person = await signUp(url)
  const broadcastId = await goOnAir(url, String(service.env['DATA_DIR']), person)
  const { key } = await call(url, chat.key, { project_id: person.projectId }, person.accessToken)
  const latencies: number[] = []
  for (let at = 0; at < listeners; at++) await overlay(url, key, broadcastId, at === 0 ? latencies : [])
  const page = await member(url, person)
  const quiet = await measure(child.pid ?? 0, () => page.probe())
  await call(url, chat.watch, { project_id: person.projectId }, person.accessToken)
  while (twitch.irc.joined().length === 0) await wait(50)
  await wait(1_000)
  const flood = send((text) => twitch.irc.say('ann', text))
  const busy = await measure(child.pid ?? 0, () => page.probe())
  const sent = flood()
  await wait(1_000)
  await stop()

  const processor = (busy.processor - quiet.processor) * 100
  const memory = busy.memory - quiet.memory
  const [p50, p95] = [at(latencies, 0.5), at(latencies, 0.95)]
  const others = at(busy.events, 0.95) - at(quiet.events, 0.95)
  const ms = (value: number) => `${Math.round(value)} ms`
  return [
    {
      what: `chat at ${perSecond}/s, ${listeners} listeners: processor`,
      value: `${processor.toFixed(1)} % of a core`,
      beside: `${latencies.length} of ${sent} messages received`,
      goal: `≤ ${goals.processor} %, all`,
      pass: processor <= goals.processor && latencies.length === sent,
    },
    {
      what: 'chat: memory above the service without it (RSS)',
      value: megabytes(memory),
      beside: `${megabytes(quiet.memory)} without`,
      goal: `≤ ${megabytes(goals.memory)}`,
      pass: memory <= goals.memory,
    },
    {
      what: 'chat: from the platform to a realtime client',
      value: `p50 ${ms(p50)}, p95 ${ms(p95)}`,
      goal: `≤ ${goals.p50} and ${goals.p95} ms`,
      pass: p50 <= goals.p50 && p95 <= goals.p95,
    },
    {
      what: 'other realtime events beside the chat, p95',
      value: `${others < 0 ? '' : '+'}${ms(others)}`,
      beside: `${ms(at(quiet.events, 0.95))} without`,
      goal: `≤ +${goals.othersMs} ms`,
      pass: others <= goals.othersMs,
    },
  ]
}

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

/** Adds a channel of Twitch and a broadcast to it. The broadcast is a row: no relay is needed for chat. */
async function goOnAir(url: string, data: string, { projectId, accessToken }: Person): Promise<number> {
  const input = { project_id: projectId, type: 'twitch', name: 'Ann', rtmp_url: someAddress } as const
  const more = { stream_key: someKey, channel_url: 'https://www.twitch.tv/Ann' }
  const { channel_id } = await call(url, addChannel.any, { ...input, ...more }, accessToken)
  const { db, close } = await openDatabase({ file: join(data, 'relaydeck.db') })
  const date_create = new Date().toISOString()
  const encoder = { node: 'bench', encoder: 'OBS', address: '192.0.2.1' }
  const { id: broadcast_id } = await db
    .insertInto('broadcasts')
    .values({
      project_id: projectId,
      ...encoder,
      status: 'active',
      reconnects: 0,
      sample: null,
      date_create,
      date_end: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const restream = { broadcast_id, channel_id, name: 'Ann', type: 'twitch', report: '{}' }
  await db
    .insertInto('restreams')
    .values({ ...restream, date_create, date_live: date_create })
    .execute()
  await close()
  return broadcast_id
}

/** Opens a realtime connection. @returns it, subscribed */
async function subscribe(
  url: string,
  connect: string,
  subscription: { readonly channel: string; readonly token?: string },
  onData: (data: unknown) => void,
): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/connection/websocket`, { perMessageDeflate: false })
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('open', () => {
      socket.send(JSON.stringify({ id: 1, connect: { token: connect } }))
      socket.send(JSON.stringify({ id: 2, subscribe: subscription }))
    })
    socket.on('message', (raw: Buffer) => {
      const frame = raw.toString('utf8')
      if (frame === '{}') return socket.send('{}')
      for (const line of frame.split('\n')) {
        const { push, subscribe: done } = JSON.parse(line) as {
          push?: { pub?: { data: unknown } }
          subscribe?: object
        }
        if (done) resolve()
        if (push?.pub) onData(push.pub.data)
      }
    })
  })
}

/** Connects an overlay. @param latencies receives the time that each message took, milliseconds */
async function overlay(url: string, key: string, broadcastId: number, latencies: number[]): Promise<void> {
  const polled = await call(url, broadcasts.longpoll, { key, wait: 0 })
  if (!polled) throw new Error('Nothing is on air')
  const channel = channelName('broadcast', broadcastId)
  await subscribe(url, polled.connection_token, { channel, token: polled.access_token }, (data) => {
    const batch = data as ChatBatch
    if (batch.event !== 'messages') return
    for (const change of batch.payload)
      if (change.action === 'got') latencies.push(performance.now() - Number(change.text.split(' ')[0]))
  })
}

/** Connects a page of a member. `probe` makes a change and returns the time until the page receives it. */
async function member(url: string, { projectId, accessToken }: Person) {
  const project_id = projectId
  const channel = channelName('project_live', projectId)
  const { access_token } = await call(url, tokens.connect, { project_id }, accessToken)
  const allowed = await call(url, tokens.channel, { project_id, channel_name: channel }, accessToken)
  let arrived: () => void = () => undefined
  await subscribe(url, access_token, { channel, token: allowed.access_token }, () => arrived())
  return {
    async probe(): Promise<number> {
      const got = new Promise<void>((resolve) => (arrived = resolve))
      const since = performance.now()
      await call(url, settings.set, { project_id, hide_bots: false }, accessToken)
      await got
      return performance.now() - since
    },
  }
}

/** Processor, memory and events of some seconds. `processor`: share of a core. */
async function measure(pid: number, probe: () => Promise<number>) {
  const [since, before] = [performance.now(), cpuOf(pid) ?? Number.NaN]
  const events: number[] = []
  while (performance.now() - since < seconds * 1_000) {
    events.push(await probe())
    await wait(100)
  }
  const processor = ((cpuOf(pid) ?? Number.NaN) - before) / 1_000 / (performance.now() - since)
  const rss = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return { processor, memory: Number(rss) * 1024, events }
}

/** Sends messages that begin with their time. @returns a function that stops, and returns the number of messages */
function send(say: (text: string) => void): () => number {
  const since = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    for (; sent < ((performance.now() - since) / 1_000) * perSecond; sent++)
      say(`${performance.now()} a message of usual length, number ${sent}`)
  }, 5)
  return () => {
    clearInterval(timer)
    return sent
  }
}
