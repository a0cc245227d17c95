// Scenes of notifications.
import { history } from '#contract/areas/notifications/history.ts'
import { settings } from '#contract/areas/notifications/settings.ts'
import { operationsOf } from '#contract/core/group.ts'
import { transaction } from '#server/db/transaction.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { scene, type Scene } from './published-calls.ts'

/** A notification with a link, and a banner. */
const notification = scene([...operationsOf(history), settings.screen, settings.get], async ({ calls, world }) => {
  const ann = await world.user()
  const { services } = world
  const { projectId } = ann
  await transaction(services.db, async (trx) => {
    const params = { broadcast_id: 1, words: '9000 > 6000 kbps' }
    await notify(services, trx, { kind: 'broadcast_bitrate_exceeded_screen', projectId, ref: 1, params })
    const facts = { payment_id: 1, amount: '10.00 USD' }
    await notify(services, trx, { kind: 'payment_failed', projectId, ref: 1, params: facts })
  })
  const as = { as: ann }
  const { results } = await calls.call<{ results: { _id: string }[] }>(world, history.list, {}, as)
  const id = results[0]?._id ?? ''
  await calls.call(world, history.getStatus, {}, as)
  await calls.call(world, history.get, { _id: id }, as)
  await calls.call(world, history.read, { notify_history_ids: [id] }, as)
  const action = { notify_history_id: id, action_name: 'cabinet_link', group_id: 'link' }
  await calls.call(world, history.runAction, action, as)
  await calls.call(world, history.setAllCabinetRead, {}, as)
  await calls.call(world, settings.get, { project_id: projectId }, as)
  await calls.call(world, settings.screen, { project_id: projectId }, as)
})

export const notificationScenes: readonly Scene[] = [notification]
