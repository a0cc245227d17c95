// Scenes in which operations return content: each calls the listed operations as published.
import { auth, type TokenPair } from '#contract/areas/account/auth.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { paySettings } from '#contract/areas/billing/pay-settings.ts'
import { moneyFlow } from '#contract/areas/billing/money-flow.ts'
import { transactions } from '#contract/areas/billing/transactions.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { liveStatus } from '#contract/areas/broadcasts/live-status.ts'
import { platforms } from '#contract/areas/channels/platforms.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { articles } from '#contract/areas/help/articles.ts'
import { blogPages } from '#contract/areas/help/blog-pages.ts'
import { transcoders } from '#contract/areas/ingest/transcoders.ts'
import { mediaFiles } from '#contract/areas/media/files.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import { operationsOf } from '#contract/core/group.ts'
import type { Operation } from '#contract/core/operation.ts'
import { operations } from '#contract/index.ts'
import { moreTranscoders, newChannel, upgrade } from './channels.ts'
import { onAirOf, someNodeOf } from './on-air.ts'
import { channelScenes } from './published-channel-scenes.ts'
import { chatScene } from './published-chat-scene.ts'
import { someAddressOfUs } from './billing.ts'
import { notificationScenes } from './published-notification-scenes.ts'
import { moneyScenes } from './published-money-scenes.ts'
import { type Scene, scene } from './published-calls.ts'

const onAir = operations.filter(
  ({ id }) => /^(broadcasts|analytics)[.]/.test(id) && !/recordings|preview|browser|scheduler/.test(id),
)

/** A broadcast. */
const broadcast = scene(onAir, async ({ calls, world }) => {
  const ann = await world.user()
  const channel_id = await newChannel(world, ann)
  const { projectId: project_id } = ann
  const { key } = (await world.api(chat.key, { project_id }, { as: ann })).body
  const node = someNodeOf(world, 'scene')
  const ask = <T>(op: Operation, values: object = {}) =>
    calls.call<T>(world, op, { project_id, key, ...values }, { as: ann })
  await ask(liveStatus.get)
  // The operation is called once per snapshot, and the free plan has one transcoder.
  await moreTranscoders(world, ann, 4)
  const transcoder = { project_id, name: 'Half', videoCodec: 'h264' }
  await calls.call(world, transcoders.add, transcoder, { as: ann, more: { channelIds: [channel_id] } })
  const rest = onAir.filter((op) => op !== broadcasts.stop)
  for (const isOver of [false, true]) {
    await node.begin(project_id)
    const { broadcast_id } = await onAirOf(world, ann)
    for (const op of [broadcasts.get, broadcasts.status, liveStatus.get]) await ask(op, { broadcast_id })
    await node.channel(project_id, channel_id, 'live')
    await node.second(project_id, 6000)
    world.clock.advance(1000)
    await node.second(project_id, 6100)
    const of = { broadcast_id, stream_id: broadcast_id, channel_id }
    const { results } = (await world.api(broadcasts.events, { project_id, broadcast_id }, { as: ann })).body
    if (isOver) await ask(broadcasts.stop, of)
    await ask(transcoders.list)
    if (isOver) await node.end(project_id)
    for (const op of rest.filter(({ kind }) => kind === 'read' || !isOver)) {
      if (isOver && op === broadcasts.longpoll) continue
      await ask(op, { ...of, id: results[0]?.id })
    }
    if (!isOver) await node.end(project_id)
  }
})

const planOps = [restream.check, restream.buy, restream.cancelNext, restream.slots, restream.offers]

/** Buying a plan, and the money that it moves. */
const plans = scene([...planOps, moneyFlow.list, transactions.list], async ({ calls, world }) => {
  const ann = await world.user()
  const free = await world.user()
  for (const op of [restream.slots, restream.offers])
    await calls.call(world, op, { project_id: free.projectId }, { as: free })
  const ask = (op: Operation, plan_restream_id: number) =>
    calls.call(world, op, { project_id: ann.projectId, period: 'month', plan_restream_id }, { as: ann })
  await upgrade(world, ann, 3)
  await ask(restream.check, 2)
  await ask(restream.buy, 2)
  await ask(restream.slots, 2)
  await ask(restream.offers, 2)
  await ask(restream.cancelNext, 2)
  await ask(restream.slots, 2)
  await ask(restream.offers, 2)
  await ask(moneyFlow.list, 2)
  await ask(transactions.list, 2)
})

/** Transcoding and storage plans: slots without a plan and with all three, quotes, and project info. */
const addOns = scene(
  [transcoding, storage].flatMap((line) => [line.slots, line.check, line.buy, line.cancelNext]),
  async ({ calls, world }) => {
    const ann = await world.user()
    const project_id = ann.projectId
    await upgrade(world, ann, 3)
    const sold = [
      [transcoding, { plan_transcoding_id: 2 }, 'count', [3, 2]],
      [storage, { plan_storage_id: 1 }, 'size', [10, 20, 10]],
    ] as const
    for (const [line, plan, units, quantities] of sold) {
      const ask = (op: Operation, more: object = {}) => calls.call(world, op, { project_id }, { as: ann, more })
      await ask(line.slots)
      await ask(line.check)
      for (const quantity of quantities) {
        const chosen = { ...plan, [units]: quantity }
        await ask(line.check, { ...chosen, period: 'month' })
        await ask(line.buy, { ...chosen, period: 'month' })
      }
      await ask(line.slots)
      await ask(line.cancelNext)
    }
    await calls.call(world, projects.info, { project_id }, { as: ann })
  },
)

/** Billing details. */
const billingDetails = scene([paySettings.set, paySettings.get], async ({ calls, world }) => {
  const ann = await world.user()
  const of = { project_id: ann.projectId, countrie_id: 840, email: 'ann@example.com', pay_system_id: 0 }
  await calls.call(world, paySettings.set, of, { as: ann, more: someAddressOfUs })
  await calls.call(world, paySettings.get, of, { as: ann })
})

/** A top-up by invoice. */
const topUp = scene(operationsOf(payments), async ({ calls, world }) => {
  const ann = await world.user()
  const of = { project_id: ann.projectId, type: 'topup', amount: 2_000 }
  const { payment_id } = await calls.call<{ payment_id: number }>(world, payments.create, of, { as: ann })
  await calls.call(world, paySystems.create, { payment_id }, { as: ann })
  await calls.call(world, payments.get, { ...of, payId: payment_id }, { as: ann })
  await calls.call(world, payments.list, {}, { as: ann })
})

const signIns = [
  platforms.callbackVkId,
  auth.exchange,
  auth.refreshAccess,
  auth.connect,
  auth.connectCallback,
  auth.connectTelegram,
  auth.disconnect,
  auth.authTelegram,
  auth.callbackGoogle,
  auth.callbackVk,
  auth.callbackVkId,
]

/** Sign-in. */
const signIn = scene(signIns, async ({ calls, socialLogins, socialLogins: { world: there } }) => {
  const ann = await there.user()
  const ask = <T>(op: Operation, values: object = {}) => calls.call<T>(there, op, values, { as: ann })
  const { code } = await ask<{ code: string }>(auth.appCode, { app: 'site' })
  const pair = await calls.call<TokenPair>(there, auth.exchange, { code, app: 'site', userAgent: 'test' })
  await calls.call(there, auth.refreshAccess, { app: 'site', refresh: pair.refreshToken })
  socialLogins.nextPerson()
  const { url } = await ask<{ url: string }>(auth.connect, { provider: 'google' })
  const message = (await socialLogins.follow(await socialLogins.google.answer(url))).get('message')
  await ask(auth.connectCallback, { message })
  const [social] = (await socialLogins.connected(ann)).results
  await ask(auth.disconnect, { social_id: social?.id })
  const cookie = await socialLogins.returnFromTelegram(ann, socialLogins.telegramOf(2))
  await calls.call(there, auth.connectTelegram, {}, { as: ann, headers: { cookie } })
  const asked = { project_id: ann.projectId, platform: 'vk-id' }
  const { url: vkId } = await ask<{ url: string }>(platforms.connect, asked)
  await calls.call(there, platforms.callbackVkId, { state: new URL(vkId).searchParams.get('state') })
  for (const [op, name] of [
    [auth.callbackGoogle, 'google'],
    [auth.callbackVk, 'vk'],
    [auth.callbackVkId, 'vk-id'],
  ] as const) {
    const back = await socialLogins.answerOf(name, await socialLogins.urlOf(name))
    await calls.call(there, op, {}, { more: Object.fromEntries(back.searchParams) })
  }
  await calls.call(there, auth.authTelegram, { ...socialLogins.telegramOf(1), app: 'site' })
})

/** The handbook and the blog. */
const texts = scene([articles.get, blogPages.get], async ({ calls, world }) => {
  await calls.call(world, articles.get, { url: 'start/first-broadcast' })
  await calls.call(world, blogPages.get, { url: 'first' })
})

/** A film whose upload has not begun. Other operations of media files get a picture. */
const films = scene([mediaFiles.session, mediaFiles.cancel], async ({ calls, world }) => {
  const ann = await world.user()
  await upgrade(world, ann, 3)
  const { projectId: project_id } = ann
  const { media_id } = (await world.api(mediaFiles.add, { project_id }, { as: ann })).body
  for (const op of [mediaFiles.session, mediaFiles.cancel])
    await calls.call(world, op, { project_id, media_id }, { as: ann })
})

/** All scenes. Operations without a scene need no more than `newScene`. */
export const scenes: readonly Scene[] = [
  ...channelScenes,
  ...moneyScenes,
  ...notificationScenes,
  chatScene,
  broadcast,
  plans,
  addOns,
  billingDetails,
  topUp,
  signIn,
  texts,
  films,
]
