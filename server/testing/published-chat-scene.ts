// Scene of the chat gateway: a broadcast with received and sent messages.
import { chat } from '#contract/areas/chat/chat.ts'
import { listRestreams } from '#server/domain/broadcasts/restreams-store.ts'
import { newChannel } from './channels.ts'
import { someMessage, someReader } from './chat.ts'
import { beginBroadcast, someNodeOf } from './on-air.ts'
import { scene } from './published-calls.ts'

export const chatScene = scene([chat.messages, chat.send, chat.remove, chat.message], async ({ calls, world }) => {
  const ann = await world.user()
  const channelId = await newChannel(world, ann)
  const { projectId: project_id } = ann
  const node = someNodeOf(world, 'chat')
  const { broadcast_id } = await beginBroadcast(world, ann, node)
  await node.channel(project_id, channelId, 'live')
  const [restream] = await listRestreams(world.app.db, [broadcast_id])
  const reader = await someReader(world, { broadcastId: broadcast_id, restreamId: restream?.id ?? 0 })
  await reader.say(someMessage('1', 'hello'), someMessage('2', 'how are you?'))
  const { key } = (await world.api(chat.key, { project_id }, { as: ann })).body
  const of = { key, broadcast_id }
  const restreams = [restream?.id ?? 0]
  await calls.call(
    world,
    chat.send,
    { ...of, id: 'client-1', text: 'welcome', restreams },
    { as: ann, more: { restreams } },
  )
  await calls.call(world, chat.messages, of)
  const { items } = (await world.api(chat.messages, of)).body
  await calls.call(world, chat.message, { ...of, event_id: items[0]?.event_id })
  await calls.call(world, chat.remove, { ...of, event_id: items[0]?.event_id }, { as: ann })
})
