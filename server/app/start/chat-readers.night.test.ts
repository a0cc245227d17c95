// Readers of chats in real processes on one PostgreSQL: one is killed, one is frozen, and another continues each time.
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { someAddress, someKey } from '#server/testing/channels.ts'
import { type TwitchChatDouble, twitchChatDouble } from '#server/testing/chat/twitch.ts'
import { type YoutubeChatDouble, youtubeChatDouble } from '#server/testing/chat/youtube.ts'
import { eventually } from '#server/testing/eventually.ts'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'
import { replicaProcess, type ServiceProcess } from '#server/testing/process.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'

// A file database has one service.
const isFile = !process.env['DATABASE_URL']

let twitch: TwitchChatDouble
let youtube: YoutubeChatDouble
let world: World
let ann: Person
let env: Readonly<Record<string, string>> & { readonly SECRET: string }
let processes: ServiceProcess[]

beforeEach(async () => {
  ;[twitch, youtube] = await Promise.all([twitchChatDouble(), youtubeChatDouble()])
  youtube.pieceBytes = 4_096
  const bases = `twitch=${twitch.base},google=${youtube.base}`
  env = { ...registeredAt(twitch.base), PROVIDER_BASES: bases, SECRET: 'a secret of these tests, which is long' }
  processes = []
  // This service begins the broadcast and reads the list; the processes read the chats.
  world = await testApp({ ...env, CHAT: 'off' })
  world.clock.set(new Date())
  ann = await world.user()
})
afterEach(async () => {
  for (const one of processes) one.close()
  await world.close()
  await Promise.all([twitch.close(), youtube.close()])
})

/** Puts a channel of Twitch without an account and one of YouTube with an account on air. */
async function goOnAir(): Promise<number> {
  const input = { project_id: ann.projectId, type: 'twitch', name: 'Ann', rtmp_url: someAddress } as const
  const more = { stream_key: someKey, channel_url: 'https://www.twitch.tv/Ann' }
  const { body } = await world.api(addChannel.any, { ...input, ...more }, { as: ann })
  const connected = await connect(world, ann, 'youtube')
  const node = someNodeOf(world)
  const { broadcast_id } = await beginBroadcast(world, ann, node)
  for (const id of [body.channel_id, connected.body.channel_id ?? 0]) await node.channel(ann.projectId, id, 'live')
  return broadcast_id
}

async function replica(): Promise<ServiceProcess> {
  const service = await replicaProcess(world, env)
  processes.push(service)
  return service
}

interface Sent {
  readonly id: string
  /** Unix time, milliseconds. */
  readonly at: number
}

/** Sends 100 messages a second on each platform. */
function flood() {
  const sent: Record<'twitch' | 'youtube', Sent[]> = { twitch: [], youtube: [] }
  const since = performance.now()
  const timer = setInterval(() => {
    const at = Date.now()
    while (sent.twitch.length < (performance.now() - since) / 10) {
      sent.twitch.push({ id: twitch.irc.say('ann', `text ${sent.twitch.length}`), at })
      sent.youtube.push({ id: youtube.say(`text ${sent.youtube.length}`), at })
    }
  }, 10)
  const stop = () => clearInterval(timer)
  onTestFinished(stop)
  return { sent, stop }
}

const watch = () => {
  world.clock.set(new Date())
  return world.api(chat.watch, { project_id: ann.projectId }, { as: ann })
}
const readersOf = () =>
  world.app.db
    .selectFrom('chat_readers')
    .innerJoin('owners', (join) => join.on('kind', '=', 'chat').onRef('key', '=', 'source'))
    .selectAll()
    .execute()
const rowsOf = (platform: 'twitch' | 'youtube') =>
  world.app.db
    .selectFrom('chat_messages')
    .select(['platform_id', 'seq', 'date_store'])
    .where('platform', '=', platform)
    .orderBy('seq')
    .execute()
const gapsOf = () =>
  world.app.db
    .selectFrom('chat_gaps')
    .innerJoin('chat_feeds', 'chat_feeds.restream_id', 'chat_gaps.restream_id')
    .select(['source', 'date_from', 'date_to'])
    .execute()
const epochs = async () => (await readersOf()).map(({ epoch, state }) => `${epoch} ${state}`)

test.skipIf(isFile)(
  'scenarios 8 and 9: a killed and a frozen reader are replaced within 20 s, without duplicates',
  async () => {
    await goOnAir()
    const [one, two, three] = [await replica(), await replica(), await replica()]
    const first = await one.start()
    await watch()
    await eventually(async () => (await epochs()).join() === '1 reading,1 reading')
    const second = await two.start()
    const { sent, stop } = flood()
    await eventually(async () => (await rowsOf('twitch')).length > 200 && (await rowsOf('youtube')).length > 200)

    const killedAt = Date.now()
    first.child.kill('SIGKILL')
    await eventually(async () => (await epochs()).join() === '2 reading,2 reading')
    expect(Date.now() - killedAt).toBeLessThan(20_000)

    const third = await three.start()
    await watch()
    const before = (await rowsOf('twitch')).length
    await eventually(async () => (await rowsOf('twitch')).length > before + 200)
    second.child.kill('SIGSTOP')
    const frozenAt = Date.now()
    await eventually(async () => (await epochs()).join() === '3 reading,3 reading')
    const readAt = Date.now()
    expect(readAt - frozenAt).toBeLessThan(20_000)
    await eventually(() => Date.now() - frozenAt > 30_000)
    expect(twitch.irc.joined()).toHaveLength(2)
    second.child.kill('SIGCONT')
    await eventually(() => twitch.irc.joined().length === 1)
    await eventually(() => two.printed().split('The lease of a chat was lost').length === 3)
    stop()
    const last = { twitch: sent.twitch.at(-1)?.id, youtube: sent.youtube.at(-1)?.id }
    for (const platform of ['twitch', 'youtube'] as const)
      await eventually(async () => (await rowsOf(platform)).some(({ platform_id }) => platform_id === last[platform]))
    expect(third.child.exitCode).toBeNull()

    const stored = (await rowsOf('twitch')).map(({ platform_id }) => platform_id)
    expect(new Set(stored).size).toBe(stored.length)
    // The frozen process had these on its connections, and could not store them.
    const unread = sent.twitch.filter(({ at }) => at > frozenAt + 1_000 && at < readAt - 1_000).map(({ id }) => id)
    expect(unread.length).toBeGreaterThan(1_000)
    expect(unread.filter((id) => stored.includes(id))).toEqual([])
    const gaps = await gapsOf()
    expect(gaps.map(({ source }) => source)).toEqual(['twitch:@ann', 'twitch:@ann'])
    const known = new Set(stored)
    const lost = sent.twitch.filter(({ id }) => !known.has(id))
    const isInGap = ({ at }: Sent) =>
      gaps.some(({ date_from, date_to }) => at >= Date.parse(date_from) && at <= Date.parse(date_to))
    expect(lost.filter((message) => !isInGap(message))).toEqual([])

    const complete = (await rowsOf('youtube')).map(({ platform_id }) => platform_id)
    expect(complete).toEqual(sent.youtube.map(({ id }) => id))
    const skipped = await world.app.db.selectFrom('chat_counts').select('skipped').execute()
    expect(skipped.map((row) => row.skipped)).toEqual([0, 0])
  },
)
