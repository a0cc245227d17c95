// A service beside the doubles of all chat platforms, and a project with a channel of each.
import { telegramChat } from '#contract/areas/channels/telegram-chat.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import type { PlatformType } from '#contract/entities/channel.ts'
import { listRestreams } from '#server/domain/broadcasts/store.ts'
import { newChannel } from '#server/testing/channels.ts'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { platformDouble } from '#server/testing/providers/double.ts'
import { vkDouble, vkVideoLiveDouble } from '#server/testing/providers/platforms-vk.ts'
import { telegramDouble, withBot } from '#server/testing/providers/telegram.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { kickChannel, kickDouble } from './kick.ts'
import { trovoChannel, trovoChat } from './trovo.ts'
import { twitchChatDouble } from './twitch.ts'
import { vkChat } from './vk.ts'
import { vkVideoLiveChat } from './vk-video-live.ts'
import { youtubeChatDouble } from './youtube.ts'

/** Platforms of the stage. */
export const stagePlatforms = ['twitch', 'youtube', 'kick', 'vk', 'vkvideolive', 'telegram', 'trovo'] as const
export type StagePlatform = (typeof stagePlatforms)[number]

/** Id and page of the channel that each double has. */
const places: Readonly<Record<StagePlatform, { readonly id: string; readonly page: string }>> = {
  twitch: { id: '777', page: 'https://www.twitch.tv/ann' },
  youtube: { id: 'UC777', page: 'https://www.youtube.com/channel/UC777' },
  kick: { id: String(kickChannel.broadcaster_user_id), page: 'https://kick.com/ann' },
  vk: { id: '-321', page: 'https://vk.com/video-321_8' },
  vkvideolive: { id: 'ann', page: 'https://live.vkvideo.ru/ann' },
  telegram: { id: '', page: '' },
  trovo: { id: trovoChannel.channel_id, page: 'https://trovo.live/s/ann' },
}

/** Access of a channel: a page only, an account without the scopes of chat, or an account with them. */
export type StageGrant = 'page' | 'account' | 'chat'

const scopes: Readonly<Partial<Record<StagePlatform, string>>> = {
  twitch: 'user:read:chat user:write:chat moderator:manage:chat_messages moderator:manage:banned_users',
  kick: 'chat:write moderation:chat_message:manage moderation:ban',
  vkvideolive: 'chat:message:send',
  trovo: 'chat_send_self send_to_my_channel manage_messages',
}

/** Starts the doubles. */
async function startDoubles(now: () => Date) {
  const [twitch, youtube] = await Promise.all([twitchChatDouble(), youtubeChatDouble()])
  const [kick, vk, vkvideolive, telegram] = [kickDouble(now), vkChat(), vkVideoLiveChat(), telegramDouble()]
  const others = await platformDouble([
    kick.platform,
    vkvideolive.platform,
    vkVideoLiveDouble,
    vk.platform,
    vkDouble,
    telegram.platform,
  ])
  others.tokens.add('*')
  vkvideolive.listen(others.server)
  // A server of its own: each accepts the sockets of one path.
  const trovo = trovoChat()
  const trovoServer = await platformDouble([trovo.platform])
  trovoServer.tokens.add('*')
  trovo.listen(trovoServer.server)
  const bases = Object.entries({ google: youtube.base, twitch: twitch.base, trovo: trovoServer.base })
    .concat(['kick', 'vk', 'vkvideolive', 'telegram'].map((name) => [name, others.base]))
    .map(([name, base]) => `${name}=${base}`)
  return {
    twitch,
    youtube,
    kick,
    vk,
    vkvideolive,
    telegram,
    trovo,
    others,
    env: {
      ...registeredAt(others.base),
      ...withBot,
      PROVIDER_BASES: bases.join(','),
      KICK_PUBLIC_KEY: kick.publicKey,
      PUBLIC_URL: 'https://live.example.com',
    },
    async close() {
      vkvideolive.close()
      trovo.close()
      await Promise.all([twitch.close(), youtube.close(), trovoServer.close(), others.close()])
    },
  }
}

/** A message that a viewer wrote. */
interface Spoken {
  readonly platform: StagePlatform
  readonly text: string
}

export interface ChatStage {
  readonly world: World
  readonly ann: Person
  readonly doubles: Awaited<ReturnType<typeof startDoubles>>
  /** Puts a channel of each platform on air. @returns the broadcast, and the restream of each platform */
  goOnAir(
    grant: StageGrant,
  ): Promise<{ readonly broadcast_id: number; readonly restreams: Readonly<Record<StagePlatform, number>> }>
  /** Writes a message as a viewer of a platform. */
  say(of: Spoken, isAnonymous: boolean): Promise<void>
  /** Number of sends and moderations that each double received. */
  acts(): Readonly<Record<StagePlatform, number>>
  close(): Promise<void>
}

/** Starts the stage. @param env variables beside those of the doubles */
export async function chatStage(env: Readonly<Record<string, string>> = {}): Promise<ChatStage> {
  let now = () => new Date()
  const doubles = await startDoubles(() => now())
  const world = await testApp({ ...doubles.env, ...env })
  world.clock.set(new Date())
  now = () => world.clock.now()
  const ann = await world.user()
  const node = someNodeOf(world, `stage ${ann.id}`)
  const ids = {} as Record<StagePlatform, number>
  for (const name of stagePlatforms) ids[name] = await newChannel(world, ann, { name })
  const { telegram, kick, twitch, youtube, vk, vkvideolive, trovo, others } = doubles

  /** Gives each channel the id and page of its platform, and the account that the grant names. */
  async function prepare(grant: StageGrant): Promise<void> {
    for (const name of stagePlatforms) {
      const { id, page } = places[name]
      const change = { type: name as PlatformType, external_id: grant === 'page' ? '' : id, channel_url: page }
      await world.app.db.updateTable('channels').set(change).where('id', '=', ids[name]).execute()
      if (grant === 'page') continue
      if (name === 'telegram') await connectTelegram()
      else await connectAccount(name, grant)
    }
  }
  async function connectAccount(name: Exclude<StagePlatform, 'telegram'>, grant: StageGrant): Promise<void> {
    const { body } = await connect(world, ann, name)
    const { id } = body.account
    const { db } = world.app
    const granted = { scopes: grant === 'chat' ? (scopes[name] ?? '') : '' }
    await db.updateTable('platform_accounts').set(granted).where('id', '=', id).execute()
    await db.updateTable('channels').set({ account_id: id }).where('id', '=', ids[name]).execute()
  }
  async function connectTelegram(): Promise<void> {
    const of = { project_id: ann.projectId, channel_id: ids.telegram }
    if ((await world.api(telegramChat.settings, of, { as: ann })).body.connected) return
    const { code } = (await world.api(telegramChat.init, of, { as: ann })).body
    await telegram.post({ message_id: 1, text: code })
  }

  return {
    world,
    ann,
    doubles,
    async goOnAir(grant) {
      await prepare(grant)
      const { broadcast_id } = await beginBroadcast(world, ann, node)
      for (const name of stagePlatforms) await node.channel(ann.projectId, ids[name], 'live')
      const rows = await listRestreams(world.app.db, [broadcast_id])
      await world.api(chat.watch, { project_id: ann.projectId }, { as: ann })
      const restreams = Object.fromEntries(
        stagePlatforms.map((name) => [name, rows.find(({ channel_id }) => channel_id === ids[name])?.id ?? 0]),
      ) as Record<StagePlatform, number>
      return { broadcast_id, restreams }
    },
    async say({ platform, text }, isAnonymous) {
      if (platform === 'twitch' && isAnonymous) twitch.irc.say('ann', text)
      else if (platform === 'twitch') twitch.eventSub.say('777', text)
      else if (platform === 'youtube') youtube.say(text)
      else if (platform === 'vk') vk.say(text)
      else if (platform === 'vkvideolive') vkvideolive.say(text)
      else if (platform === 'trovo') trovo.say(text)
      else if (platform === 'telegram') await telegram.say({ message_id: Date.now() % 1_000_000_000, text })
      else {
        const { headers, body } = kick.webhook(kick.message(text, { message_id: 'm-1' }))
        await world.app.inject({ method: 'POST', url: '/kick/webhook', headers, payload: body })
      }
    },
    acts: () => ({
      twitch: twitch.eventSub.acts.length,
      youtube: youtube.acts.length,
      kick: kick.acts.filter(({ name }) => name !== 'subscribe').length,
      vk: vk.acts.length,
      vkvideolive: others.calls.filter((call) => call.endsWith('/chat/message/send')).length,
      telegram: telegram.sent.length + telegram.acts.length,
      trovo: trovo.acts.length,
    }),
    async close() {
      await world.close()
      await doubles.close()
    },
  }
}
