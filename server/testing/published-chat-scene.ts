// Scene of the chat gateway: a broadcast with received and sent messages.
import { chat } from '#contract/areas/chat/chat.ts'
import { chatOnAir, someMessage } from './chat.ts'
import { scene } from './published-calls.ts'

export const chatScene = scene([chat.messages, chat.send, chat.remove, chat.message], async ({ calls, world }) => {
  const { ann, broadcastId: broadcast_id, restreamId, reader } = await chatOnAir(world)
  await reader.say(someMessage('1', 'hello'), someMessage('2', 'how are you?'))
  const { key } = (await world.api(chat.key, { project_id: ann.projectId }, { as: ann })).body
  const of = { key, broadcast_id }
  const restreams = [restreamId]
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
