// Chat messages for tests.
import type { ChatCapability, ChatMessage } from '#contract/entities/chat-message.ts'

/** A message with a number; its other fields have plain values. */
export function messageOf(seq: number, more: Partial<ChatMessage> & { readonly name?: string } = {}): ChatMessage {
  const { name = `Person ${seq}`, ...fields } = more
  const text = fields.text ?? `Message ${seq}`
  return {
    event_id: `e${seq}`,
    restreams: [
      {
        id: `p${seq}`,
        restream_id: 1,
        platform: 'twitch',
        created_at: '2026-11-22T20:00:00.000Z',
        state: 'delivered',
      },
    ],
    entities: [{ type: 'text', text }],
    text,
    sender: { id: name, name, badges: [], roles: [] },
    created_at: '2026-11-22T20:00:00.000Z',
    broadcast_id: 9,
    is_outgoing: false,
    seq,
    rev: seq,
    kind: 'message',
    paid: null,
    reply_to: null,
    hidden: null,
    late: false,
    deleted: false,
    ...fields,
  }
}

/** Abilities of a chat that can do everything. */
export const capabilityOf = (more: Partial<ChatCapability> = {}): ChatCapability => ({
  restream_id: 1,
  channel_id: 5,
  name: 'One',
  platform: 'twitch',
  state: 'reading',
  reason: null,
  until: null,
  gap_since: null,
  read: true,
  send: true,
  reply: true,
  delete: true,
  restricts: 'timeout',
  timeout_max: 1_209_600,
  text_max: 500,
  rate: { messages: 20, seconds: 30 },
  needs: null,
  popout_url: null,
  ...more,
})
