// Test double of Kick: signer of webhooks with an own key pair, chat, moderation and subscriptions (docs.kick.com).
import { generateKeyPairSync, sign } from 'node:crypto'
import { type DoublePlatform, DoubleReply, tokenAfter } from '#server/testing/providers/double.ts'
import { tokenRoutes } from '#server/testing/providers/tokens.ts'

const api = 'api.kick.com/public/v1'
/** The channel of the double. */
export const kickChannel = { broadcaster_user_id: 123_456, slug: 'ann' } as const

/** A webhook, ready to be sent. */
export interface KickWebhook {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface KickDouble {
  readonly platform: DoublePlatform
  /** Value of `KICK_PUBLIC_KEY`. */
  readonly publicKey: string
  /** Signs a webhook. */
  webhook(body: unknown, more?: { readonly id?: string; readonly at?: Date; readonly type?: string }): KickWebhook
  /** Body of a chat message. */
  message(text: string, more?: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  readonly acts: { readonly name: string; readonly body: Readonly<Record<string, unknown>> }[]
  /** Requests for the public key. */
  keyRequests: number
  /** Refuses the next act. */
  refuse(status: number): void
  readonly subscriptions: { readonly event: string; readonly broadcaster_user_id: number }[]
}

/** Creates the double. @param now time of webhooks */
export function kickDouble(now: () => Date): KickDouble {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const refusals: number[] = []
  let count = 0
  const person = (user_id: number, username: string) => ({ user_id, username, channel_slug: username.toLowerCase() })
  const act = (
    name: string,
    answer: (body: Readonly<Record<string, unknown>>) => unknown,
    body: readonly string[] = [],
  ) => ({
    body,
    answer(request: { readonly body: Readonly<Record<string, unknown>> }) {
      const status = refusals.shift()
      if (status !== undefined) return new DoubleReply(status, { message: 'Refused', data: {} })
      double.acts.push({ name, body: request.body })
      return answer(request.body)
    },
  })
  const done = () => ({ data: {}, message: 'OK' })
  const stream = { key: 'kick-key', is_live: true, viewer_count: 7 }
  const double: KickDouble = {
    acts: [],
    subscriptions: [],
    keyRequests: 0,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    refuse: (status) => void refusals.push(status),
    message: (content, more = {}) => ({
      message_id: `m-${++count}`,
      replies_to: null,
      broadcaster: { ...person(kickChannel.broadcaster_user_id, 'Ann'), identity: null },
      sender: { ...person(77, 'Bob'), identity: { username_color: '#FF5733', badges: [] } },
      content,
      emotes: [],
      created_at: now().toISOString(),
      ...more,
    }),
    webhook(body, { id = `id-${++count}`, at = now(), type = 'chat.message.sent' } = {}) {
      const [text, time] = [JSON.stringify(body), at.toISOString()]
      const signature = sign('sha256', Buffer.from(`${id}.${time}.${text}`), privateKey).toString('base64')
      const headers = {
        'content-type': 'application/json',
        'kick-event-message-id': id,
        'kick-event-message-timestamp': time,
        'kick-event-signature': signature,
        'kick-event-type': type,
        'kick-event-version': '1',
      }
      return { headers, body: text }
    },
    platform: {
      tokenOf: tokenAfter('Bearer'),
      unauthorized: new DoubleReply(401, { message: 'Unauthorized', data: {} }),
      routes: {
        [`GET ${api}/public-key`]: {
          open: true,
          answer() {
            double.keyRequests++
            return { data: { public_key: double.publicKey }, message: 'OK' }
          },
        },
        [`GET ${api}/users`]: { answer: () => ({ data: [{ user_id: 123_456, name: 'Ann', profile_picture: '' }] }) },
        [`GET ${api}/channels`]: {
          answer: ({ query }) => ({
            data: (query.get('slug') ?? kickChannel.slug) === kickChannel.slug ? [{ ...kickChannel, stream }] : [],
          }),
        },
        [`GET ${api}/events/subscriptions`]: { answer: () => ({ data: double.subscriptions }) },
        [`POST ${api}/events/subscriptions`]: act(
          'subscribe',
          (body) => {
            const events = body['events'] as { name: string }[]
            for (const { name } of events)
              double.subscriptions.push({ event: name, broadcaster_user_id: Number(body['broadcaster_user_id']) })
            return { data: events.map(({ name }) => ({ name, version: 1, subscription_id: name })) }
          },
          ['events', 'method'],
        ),
        [`POST ${api}/chat`]: act('chat', () => ({ data: { is_sent: true, message_id: 'sent-1' } }), [
          'content',
          'type',
        ]),
        [`DELETE ${api}/chat/m-1`]: act('delete', () => new DoubleReply(204, undefined)),
        [`POST ${api}/moderation/bans`]: act('ban', done, ['broadcaster_user_id', 'user_id']),
        [`DELETE ${api}/moderation/bans`]: act('unban', done, ['broadcaster_user_id', 'user_id']),
        ...tokenRoutes('id.kick.com/oauth/token', ''),
      },
    },
  }
  return double
}
