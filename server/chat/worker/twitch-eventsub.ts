// Chat of Twitch over EventSub, by Twurple's listener, with the token of a connected account.
import { ApiClient } from '@twurple/api'
import type { AccessTokenWithUserId, AuthProvider } from '@twurple/auth'
import { EventSubWsListener } from '@twurple/eventsub-ws'
import type { ChatEntity, ChatReason, ChatSender } from '#server/core/chat.ts'
import { bitsOf, emoteOf, marksOf } from './twitch-badges.ts'
import type { WorkerConnection, WorkerReports } from './wire.ts'

type Connection = Extract<WorkerConnection, { client: 'twitch-eventsub' }>

/** The service renews tokens; a connection keeps its subscriptions without a new one. */
function authOf({ clientId, token, userId, scopes }: Connection): AuthProvider {
  const access: AccessTokenWithUserId = {
    accessToken: token,
    refreshToken: null,
    expiresIn: null,
    obtainmentTimestamp: Date.now(),
    scope: [...scopes],
    userId,
  }
  return {
    clientId,
    getCurrentScopesForUser: () => [...scopes],
    getAccessTokenForUser: async () => access,
    getAnyAccessToken: async () => access,
  }
}

/** Subscribes to the events of a chat. @returns the subscription of its messages */
function subscribe(listener: EventSubWsListener, { broadcasterId, userId }: Connection, reports: WorkerReports) {
  const on =
    <T>(handle: (event: T) => void) =>
    (event: T) => {
      try {
        handle(event)
      } catch {
        reports.malformed()
      }
    }

  const messages = listener.onChannelChatMessage(
    broadcasterId,
    userId,
    on((event) => {
      reports.event({
        is: 'message',
        message: {
          id: required(event.sourceMessageId ?? event.messageId),
          kind: 'message',
          text: event.messageText,
          entities: event.messageParts.map((part): ChatEntity => {
            if (part.type === 'emote') return emoteOf(part.emote.id, part.text)
            if (part.type === 'mention') return { type: 'mention', text: part.text, id: part.mention.user_id }
            return { type: 'text', text: part.text }
          }),
          sender: senderOf({
            id: event.chatterId,
            name: event.chatterDisplayName,
            login: event.chatterName,
            color: event.color,
            badges: event.badges,
          }),
          createdAt: new Date(),
          ...bitsOf(event.bits),
          ...(event.parentMessageId ? { replyTo: event.parentMessageId } : {}),
          ...(event.chatterId === userId ? { own: true as const } : {}),
        },
      })
    }),
  )
  listener.onChannelChatNotification(
    broadcasterId,
    userId,
    on((event) => {
      const text = ['systemMessage' in event ? event.systemMessage : '', event.messageText]
        .filter((part) => part !== '')
        .join(' – ')
      const kind = event.type === 'raid' ? 'raid' : /sub/.test(event.type) ? 'member' : 'notice'
      const { chatterId, chatterName, chatterDisplayName, color, badges } = event
      reports.event({
        is: 'message',
        message: {
          id: required(event.messageId),
          kind,
          text,
          entities: [{ type: 'text', text }],
          sender: senderOf({
            id: chatterId ?? '',
            name: chatterDisplayName ?? 'Twitch',
            login: chatterName,
            color,
            badges,
          }),
          createdAt: new Date(),
        },
      })
    }),
  )
  listener.onChannelChatMessageDelete(
    broadcasterId,
    userId,
    on(({ messageId }) => reports.event({ is: 'deleted', id: required(messageId) })),
  )
  listener.onChannelChatClearUserMessages(
    broadcasterId,
    userId,
    on((event) => reports.event({ is: 'cleared', senderId: required(event.userId) })),
  )
  listener.onChannelChatClear(
    broadcasterId,
    userId,
    on(() => reports.event({ is: 'cleared' })),
  )

  return messages
}

/** Opens a chat. @returns a function that closes it */
export function openTwitchEventSub(connection: Connection, reports: WorkerReports): () => void {
  const logger = { minLevel: 'critical' } as const
  const apiClient = new ApiClient({ authProvider: authOf(connection), logger })
  const listener = new EventSubWsListener({ apiClient, logger })
  const messages = subscribe(listener, connection, reports)
  listener.onSubscriptionCreateSuccess((subscription) => {
    if (subscription === messages) reports.event({ is: 'state', state: 'reading' })
  })
  listener.onSubscriptionCreateFailure((subscription, error) => {
    // Without one of the others, for example notifications, messages are still read.
    if (subscription !== messages) return
    const reason = refusals[(error as { readonly statusCode?: number }).statusCode ?? 0]
    if (reason) reports.refused(reason, 'Twitch refused the subscription')
    else reports.lost('The subscription failed')
  })
  listener.onRevoke((_, status) =>
    reports.refused(revoked[status] ?? 'forbidden', `Twitch revoked the subscription: ${status}`),
  )
  listener.onUserSocketDisconnect((_, error) => reports.lost(error?.message ?? 'Twitch closed the connection'))
  listener.start()
  return () => listener.stop()
}

const refusals: Readonly<Record<number, ChatReason>> = { 400: 'forbidden', 401: 'reconnect', 403: 'scope' }
const revoked: Readonly<Record<string, ChatReason>> = {
  authorization_revoked: 'reconnect',
  user_removed: 'page',
  chat_user_banned: 'forbidden',
}

function required(id: string | null | undefined): string {
  if (!id) throw new Error('An event without an id')
  return id
}

const senderOf = (from: {
  readonly id: string
  readonly name: string
  readonly login: string | null
  readonly color: string | null
  readonly badges: Readonly<Record<string, string>>
}): ChatSender => ({
  id: from.id,
  name: from.name,
  ...(from.login ? { login: from.login } : {}),
  ...(from.color ? { color: from.color } : {}),
  ...marksOf(Object.entries(from.badges)),
})
