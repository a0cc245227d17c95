// Sample message: shows in open overlays and pages that they work, and is not stored.
import { randomUUID } from 'node:crypto'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { Language } from '#contract/core/wire.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { BroadcastRow } from '#server/domain/broadcasts/store.ts'
import { publishChat } from './batches.ts'

const texts: Readonly<Record<Language, string>> = {
  en: 'Test message: the chat works',
  ru: 'Проверка: чат работает',
  cn: '测试消息：聊天正常',
}

/** Publishes a sample message to a broadcast. @throws RuleError `NoBroadcast` where the project has none */
export function publishSample(
  services: Pick<Services, 'clock' | 'realtime'> & { readonly language: Language },
  broadcast: BroadcastRow | null,
): ChatMessage {
  if (!broadcast) throw new RuleError('NoBroadcast', 'The project had no broadcast yet')
  const text = texts[services.language]
  const message: ChatMessage = {
    event_id: randomUUID(),
    restreams: [],
    entities: [{ type: 'text', text }],
    text,
    sender: { id: 'test', name: 'Relaydeck', badges: [], roles: ['bot'] },
    created_at: iso(services.clock.now()),
    broadcast_id: broadcast.id,
    is_outgoing: false,
    seq: 0,
    kind: 'message',
    paid: null,
    reply_to: null,
    hidden: null,
    late: false,
    deleted: false,
  }
  publishChat(services, broadcast.id, [{ action: 'got', ...message }])
  return message
}
