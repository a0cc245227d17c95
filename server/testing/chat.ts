// Chats without platforms: a reader that stores the events that a test gives it.
import type { PlatformType } from '#contract/entities/channel.ts'
import type { ChatEvent, PlatformMessage } from '#server/core/chat.ts'
import { sealTokens } from '#server/domain/platforms/account-tokens.ts'
import { listRestreams } from '#server/domain/broadcasts/store.ts'
import { storeChatEvents } from '#server/domain/chat/store-events.ts'
import { upsertFeeds } from '#server/domain/chat/readers-store.ts'
import { claimReader } from '#server/domain/chat/wanted.ts'
import { newChannel } from './channels.ts'
import { beginBroadcast, someNodeOf } from './on-air.ts'
import type { Person, World } from './test-app.ts'

/** Settings of a service whose calls to Twitch fail immediately, so that its jobs change no account. */
export const withoutTwitch = { PROVIDER_BASES: 'twitch=http://127.0.0.1:1' } as const

/** Connects a channel to an account of Twitch that reads, writes and moderates. */
export async function connectTwitch(
  { app: { db }, clock, services }: Pick<World, 'app' | 'clock' | 'services'>,
  {
    person,
    channelId,
    externalId,
  }: { readonly person: Person; readonly channelId: number; readonly externalId: string },
): Promise<void> {
  const date = clock.now().toISOString()
  const { id: account_id } = await db
    .insertInto('platform_accounts')
    .values({
      user_id: person.id,
      platform: 'twitch',
      external_id: externalId,
      name: person.email,
      avatar: '',
      status: 1,
      tokens_sealed: sealTokens(services, { accessToken: 'access', refreshToken: null, expires: null, along: {} }),
      scopes: 'user:read:chat user:write:chat moderator:manage:chat_messages moderator:manage:banned_users',
      date_create: date,
      date_update: date,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const change = { type: 'twitch', external_id: externalId, account_id } as const
  await db.updateTable('channels').set(change).where('id', '=', channelId).execute()
}

/** A message as a reader yields it. */
export const someMessage = (id: string, text: string, more: Partial<PlatformMessage> = {}): PlatformMessage => ({
  id,
  kind: 'message',
  text,
  entities: [{ type: 'text', text }],
  sender: { id: 'viewer-1', name: 'Viewer', badges: [], roles: [] },
  createdAt: new Date('2026-03-01T10:00:00.000Z'),
  ...more,
})

/** A reader of a chat that feeds a restream; by default of Twitch. The source begins with its platform. */
export async function someReader(
  { services }: Pick<World, 'services'>,
  of: { readonly broadcastId: number; readonly restreamId: number; readonly source?: string },
) {
  const { db } = services
  const { source = `twitch:${of.restreamId}`, broadcastId, restreamId } = of
  const platform = source.split(':', 1)[0] as PlatformType
  await upsertFeeds(db, [{ restream_id: restreamId, broadcast_id: broadcastId, source }])
  const claim = await claimReader(db, { source, platform, holder: 'test' })
  if (!claim) throw new Error(`${source} has another holder`)
  const store = (...events: ChatEvent[]) => storeChatEvents(services, source, claim.epoch, events)
  return {
    ...claim,
    source,
    store,
    say: (...messages: PlatformMessage[]) => store(...messages.map((message) => ({ is: 'message', message }) as const)),
  }
}

let scenes = 0

/** A project on air with one channel, and a reader of its chat. */
export async function chatOnAir(world: World) {
  const ann = await world.user()
  const channelId = await newChannel(world, ann)
  const node = someNodeOf(world, `chat ${++scenes}`)
  const { broadcast_id: broadcastId } = await beginBroadcast(world, ann, node)
  await node.channel(ann.projectId, channelId, 'live')
  const restreamId = (await listRestreams(world.app.db, [broadcastId]))[0]?.id ?? 0
  await world.app.db.updateTable('restreams').set({ type: 'twitch' }).where('id', '=', restreamId).execute()
  const reader = await someReader(world, { broadcastId, restreamId })
  return { ann, node, broadcastId, restreamId, reader }
}
