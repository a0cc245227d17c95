// Two replicas that change the chat of one broadcast: each publishes batches of its own.
import { chat } from '#contract/areas/chat/chat.ts'
import type { ChatBatch } from '#contract/events/chat.ts'
import { findBroadcast } from '#server/domain/broadcasts/store.ts'
import { hideAuthor, hideMessage } from '#server/domain/chat/hide.ts'
import { deleteMessage } from '#server/domain/chat/moderate.ts'
import { starMessage } from '#server/domain/chat/star.ts'
import { storeChatEvents } from '#server/domain/chat/store-events.ts'
import { chatOnAir, someMessage } from './chat.ts'
import type { World } from './test-app.ts'

/** Changes of a chat by replicas. Numbers name messages, authors and replicas. */
export const chatActs = ['say', 'delete', 'gone', 'clear', 'hide', 'show', 'hideAuthor', 'showAuthor', 'star'] as const

/** Begins a broadcast with a chat. @returns its changes, and the published batches that are not taken yet */
export async function chatReplicas(world: World) {
  const { ann, broadcastId, restreamId, reader } = await chatOnAir(world)
  const found = await findBroadcast(world.app.db, ann.projectId, broadcastId)
  if (!found) throw new Error('The broadcast was not stored')
  const broadcast = found
  const sent: ChatBatch[] = []
  const replicas = [0, 1].map(() => {
    const publish: typeof world.services.realtime.publish = (_channel, data) => {
      if ('event' in data && data.event === 'messages') sent.push(data)
    }
    return { ...world.services, realtime: { ...world.services.realtime, publish } }
  })
  const by = {
    projectId: ann.projectId,
    isMember: true,
    mayWrite: true,
    isSuspended: false,
    userId: ann.id,
    keyId: null,
    keyName: '',
  }
  const get = async (of: object) =>
    (await world.api(chat.messages, { broadcast_id: broadcastId, limit: 500, ...of }, { as: ann })).body
  let said = 0

  /** Changes the chat. @param replica 0 or 1 @param which a message or an author, by its place */
  async function act(name: (typeof chatActs)[number], replica: number, which: number): Promise<void> {
    const services = replicas[replica]
    if (!services) throw new Error(`There is no replica ${replica}`)
    const author = { restreamId, senderId: `viewer-${which % 3}` }
    const store = (...events: Parameters<typeof storeChatEvents>[3]) =>
      storeChatEvents(services, reader.source, reader.epoch, events)
    if (name === 'say') {
      const sender = { id: author.senderId, name: 'Viewer', badges: [], roles: [] }
      await store({ is: 'message', message: someMessage(`${++said}`, `secret ${said}`, { sender }) })
      return
    }
    if (name === 'gone') return await store({ is: 'deleted', id: `${1 + (which % Math.max(said, 1))}` })
    if (name === 'clear') return await store({ is: 'cleared', senderId: author.senderId })
    if (name === 'hideAuthor' || name === 'showAuthor')
      return await hideAuthor(services, broadcast, { ...author, isHidden: name === 'hideAuthor' })
    const { items } = await get({ hidden: true })
    const item = items[which % Math.max(items.length, 1)]
    if (!item) return
    if (name === 'delete') await deleteMessage(services, by, broadcast, item.event_id)
    else if (name === 'star')
      await starMessage(services, broadcastId, item.deleted || item.hidden !== null ? null : item.event_id)
    else await hideMessage(services, broadcast, item.event_id, name === 'hide')
  }

  return {
    sent,
    act,
    messages: () => get({}),
    changes: async (after: number, limit: number) =>
      (await world.api(chat.changes, { broadcast_id: broadcastId, after, limit }, { as: ann })).body,
    starred: async () => (await world.api(chat.capabilities, { broadcast_id: broadcastId }, { as: ann })).body.starred,
  }
}
