// Scenes of channels and platforms: each calls the listed operations as published.
import { access } from '#contract/areas/channels/access.ts'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { invites } from '#contract/areas/channels/invites.ts'
import { planned } from '#contract/areas/channels/planned.ts'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { settings } from '#contract/areas/channels/settings.ts'
import { telegramChat } from '#contract/areas/channels/telegram-chat.ts'
import type { Operation } from '#contract/core/operation.ts'
import { newChannel, someAddress, someKey } from './channels.ts'
import { connect } from './providers/connected.ts'
import { inviteByLink, sharedPair, sharingPair } from './sharing.ts'
import type { Person } from './test-app.ts'
import { type Scene, scene } from './published-calls.ts'

const platformSettings = [
  ['youtube', settings.setYoutube],
  ['vk', settings.setVk],
  ['vkvideolive', settings.setVkVideoLive],
  ['ok', settings.setOk],
  ['twitch', settings.setTwitch],
  ['trovo', settings.setTrovo],
] as const

/** Invitations to a channel. */
const invitations = scene(Object.values(invites), async ({ calls, world }) => {
  const ask = (op: Operation, values: object, as: Person) => calls.call(world, op, values, { as })
  const owning = { access_type: 0 as const, to_project_external_id: '', email: 'bob@example.com' }
  for (const answer of [invites.acceptForProject, invites.declineForProject]) {
    const pair = await sharingPair(world)
    const { ann, bob, place, there } = pair
    const { external_id } = await world.app.db
      .selectFrom('projects')
      .select('external_id')
      .where('id', '=', bob.projectId)
      .executeTakeFirstOrThrow()
    const values = { ...place, ...owning, to_project_external_id: external_id }
    await ask(invites.addByEmail, values, ann)
    const made = await calls.call<{ project_channel_invite_id: number }>(world, invites.addById, values, { as: ann })
    await ask(invites.list, place, ann)
    await ask(invites.get, { id: made.project_channel_invite_id }, ann)
    await ask(invites.getForProject, there, bob)
    await ask(answer, there, bob)
  }
  for (const answer of [invites.acceptForSecret, invites.declineForSecret]) {
    const pair = await sharingPair(world)
    const { ann, bob, there } = pair
    const { secret, project_channel_invite_id: id } = await inviteByLink(world, pair)
    await ask(invites.getForSecret, { ...there, secret }, bob)
    await ask(answer, { ...there, secret }, bob)
    if (answer === invites.acceptForSecret) continue
    await ask(invites.del, { id }, ann)
  }
})

/** Access of other projects. */
const sharing = scene([access.list, access.change, access.transferOwner], async ({ calls, world }) => {
  const { ann, bob, place } = await sharedPair(world)
  const values = { ...place, to_project_id: bob.projectId, access_type: 0 }
  for (const op of [access.list, access.change, access.transferOwner]) await calls.call(world, op, values, { as: ann })
})

/** Settings of a platform. */
const platformForms = scene(
  platformSettings.map(([, op]) => op),
  async ({ calls, world }) => {
    for (const [type, op] of platformSettings) {
      const ann = await world.user()
      const channel_id = await newChannel(world, ann, { type: type as 'youtube' })
      const values = { project_id: ann.projectId, channel_id, title: 'Final', category_id: '1', lang: 'en' }
      await calls.call(world, op, values, { as: ann })
    }
  },
)

const ofAccounts = [
  addChannel.vk,
  addChannel.ok,
  settings.updateToken,
  platforms.category,
  platforms.accounts,
  platforms.accountChannels,
  platforms.connect,
  platforms.connectCommunity,
  platforms.callback,
  platforms.callbackCommunity,
  platforms.logout,
  platforms.accountRemove,
]

/** Accounts on platforms. */
const accounts = scene(ofAccounts, async ({ calls, world }) => {
  const ann = await world.user()
  const ask = <T>(op: Operation, values: object) => calls.call<T>(world, op, values, { as: ann })
  const { projectId: project_id } = ann
  for (const platform of ['vk', 'ok'] as const) {
    const { body } = await connect(world, ann, platform)
    const account = {
      platform,
      id: String(body.account.id),
      account_id: String(body.account.id),
      ids: [body.account.id],
    }
    const key = { rtmp_url: someAddress, stream_key: someKey }
    const places = { vk: '-321', ok: '66' }
    const at = { project_id, ...account, ...key, channel_id: places[platform] }
    const added = await ask<{ channel_id: number }>(addChannel[platform], at)
    await ask(platforms.accountChannels, {
      project_id,
      ...account,
      request_id: 'x',
    })
    await ask(platforms.accounts, account)
    if (platform === 'vk') {
      await ask(platforms.category, { type: 'vk' })
      const of = { project_id, channel_id: added.channel_id, ...account }
      const { url: community } = await ask<{ url: string }>(platforms.connectCommunity, of)
      const state = new URL(community).searchParams.get('state')
      await calls.call(world, platforms.callbackCommunity, { state, code: 'community' })
    }
    await ask(platforms.logout, account)
    await ask(platforms.accountRemove, account)
  }
  const { url } = await ask<{ url: string }>(platforms.connect, { project_id, platform: 'twitch' })
  await calls.call(world, platforms.callback, { provider: 'twitch', state: new URL(url).searchParams.get('state') })
  const { body } = await connect(world, ann, 'twitch')
  await ask(settings.updateToken, { project_id, channel_id: body.channel_id, role: 'account' })
})

/** Planned streams, playlists and the Telegram chat of a channel. */
const plannedAndChat = scene(
  [planned.get, planned.set, planned.playlists, ...Object.values(telegramChat)],
  async ({ calls, world, telegram }) => {
    const ann = await world.user()
    const { body } = await connect(world, ann, 'youtube')
    const ask = <T>(op: Operation, values: object = {}, more = {}) =>
      calls.call<T>(world, op, { project_id: ann.projectId, channel_id: body.channel_id, ...values }, { as: ann, more })
    await ask(planned.get)
    await ask(planned.set, {}, { id: 'planned-1' })
    await ask(planned.playlists)
    const { code } = await ask<{ code: string }>(telegramChat.init)
    await telegram.post({ message_id: 1, text: code })
    await telegram.post({ message_id: 2, caption: 'A picture', photo: [{}] })
    await ask(telegramChat.settings)
    await ask(telegramChat.posts)
    await ask(telegramChat.setSettings, { filter_mode: 0 })
    await ask(telegramChat.setTelegram)
    await ask(telegramChat.postByFilter, { filter_mode: 0 })
    await ask(telegramChat.disconnect)
  },
)

/** All scenes of channels. */
export const channelScenes: readonly Scene[] = [invitations, sharing, platformForms, accounts, plannedAndChat]
