// Sample message: reaches open overlays and pages, says how many chats are connected, and is not stored.
import { randomUUID } from 'node:crypto'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { Language } from '#contract/core/wire.ts'
import { iso } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { BroadcastRow } from '#server/domain/broadcasts/store.ts'
import { publishUnnumbered } from './changes.ts'
import { chatsOfBroadcast } from './places.ts'

interface Texts {
  readonly works: string
  readonly offAir: string
  readonly partly: (connected: number, all: number) => string
}

const texts: Readonly<Record<Language, Texts>> = {
  en: {
    works: 'Test message: the chat works',
    offAir: 'Test message received. Chats connect when you go live',
    partly: (connected, all) => `Test message received. ${connected} of ${all} chats connected`,
  },
  ru: {
    works: 'Проверка: чат работает',
    offAir: 'Тестовое сообщение получено. Чаты подключатся, когда начнётся эфир',
    partly: (connected, all) => `Тестовое сообщение получено. Подключено чатов: ${connected} из ${all}`,
  },
  cn: {
    works: '测试消息：聊天正常',
    offAir: '测试消息已收到。开播后会连接聊天',
    partly: (connected, all) => `测试消息已收到。已连接 ${connected}/${all} 个聊天`,
  },
}

/** Text of a sample. The chat works only while every chat of the broadcast is read. */
async function textOf(services: Reading<SampleServices>, { id, project_id, date_end }: BroadcastRow): Promise<string> {
  const { works, offAir, partly } = texts[services.language]
  if (date_end !== null) return offAir
  const chats = await chatsOfBroadcast(services, services.db, { id, project_id, date_end })
  const connected = chats.filter(({ capability }) => capability.state === 'reading').length
  return chats.length > 0 && connected === chats.length ? works : partly(connected, chats.length)
}

type SampleServices = Pick<Services, 'clock' | 'config' | 'db' | 'realtime'> & { readonly language: Language }

/** Publishes a sample message to a broadcast. @throws RuleError `NoBroadcast` where the project has none */
export async function publishSample(services: SampleServices, broadcast: BroadcastRow | null): Promise<ChatMessage> {
  if (!broadcast) throw new RuleError('NoBroadcast', 'The project had no broadcast yet')
  const text = await textOf(services, broadcast)
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
    rev: 0,
    kind: 'message',
    paid: null,
    reply_to: null,
    hidden: null,
    late: false,
    deleted: false,
  }
  publishUnnumbered(services, broadcast.id, [{ action: 'got', ...message }])
  return message
}
