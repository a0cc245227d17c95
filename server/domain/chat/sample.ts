// Sample message: reaches open overlays and pages, says how many chats are connected, and is not stored.
import { randomUUID } from 'node:crypto'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import type { Language } from '#contract/core/wire.ts'
import cn from '#locales/cn/service/chat.json' with { type: 'json' }
import en from '#locales/en/service/chat.json' with { type: 'json' }
import ru from '#locales/ru/service/chat.json' with { type: 'json' }
import { iso } from '#server/core/clock.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { fill } from '#server/core/locale.ts'
import { RuleError } from '#server/core/errors.ts'
import type { BroadcastRow } from '#server/domain/broadcasts/store.ts'
import { publishUnnumbered } from './changes.ts'
import { chatsOfBroadcast } from './places.ts'

const texts: Readonly<Record<Language, typeof en>> = { en, ru, cn }

/** Text of a sample. The chat works only while every chat of the broadcast is read. */
async function textOf(services: Reading<SampleServices>, { id, project_id, date_end }: BroadcastRow): Promise<string> {
  const { works, offAir, partly } = texts[services.language].sample
  if (date_end !== null) return offAir
  const chats = await chatsOfBroadcast(services, services.db, { id, project_id, date_end })
  const connected = chats.filter(({ capability }) => capability.state === 'reading').length
  return chats.length > 0 && connected === chats.length ? works : fill(partly, { connected, all: chats.length })
}

type SampleServices = Pick<Services, 'clock' | 'config' | 'db' | 'realtime'> & { readonly language: Language }

/** Publishes a sample message to a broadcast. @throws RuleError `NoBroadcast` where the project has none */
export async function publishSample(services: SampleServices, broadcast: BroadcastRow | null): Promise<ChatMessage> {
  if (!broadcast) throw new RuleError('NoBroadcast')
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
