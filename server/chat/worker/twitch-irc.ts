// Anonymous chat of Twitch over IRC, by Twurple's client. Twitch does not document anonymous sign-in; clients rely on it.
import {
  ChatClient,
  ChatMessage,
  extractMessageText,
  parseChatMessage,
  parseTwitchMessage,
  type UserNotice,
} from '@twurple/chat'
import type { ChatEntity, PlatformMessage } from '#server/core/chat.ts'
import { bitsOf, emoteOf, marksOf } from './twitch-badges.ts'
import type { WorkerConnection, WorkerReports } from './wire.ts'

type Connection = Extract<WorkerConnection, { client: 'twitch-irc' }>

/** Begin of a message of a user, after tags and sender. */
const isMessage = /^(?:@\S+ )?(?::\S+ )?PRIVMSG /

/** Opens a chat. @returns a function that closes it */
export function openTwitchIrc({ base, login }: Connection, reports: WorkerReports): () => void {
  const chat = new ChatClient({
    channels: [login],
    logger: { minLevel: 'critical' },
    rejoinChannelsOnReconnect: false,
    // The client appends its own port, which becomes part of the path at a test server.
    ...(base === null ? {} : { hostName: `${new URL(base).host}/irc`, ssl: base.startsWith('https:') }),
  })
  // A line that an event cannot be read from is dropped; the client would end the thread.
  const guard =
    <A extends unknown[]>(handle: (...args: A) => void) =>
    (...args: A) => {
      try {
        handle(...args)
      } catch {
        reports.malformed()
      }
    }
  const { irc } = chat
  const receive = irc.receiveLine.bind(irc)
  // Messages of users do not pass the client: for each it writes JSON to a log that is off, and restarts a timer.
  irc.receiveLine = guard((line: string) => {
    const msg = isMessage.test(line) ? parseTwitchMessage(line) : null
    if (msg instanceof ChatMessage) reports.event({ is: 'message', message: messageOf(msg) })
    else receive(line)
  })

  const notice = (kind: PlatformMessage['kind']) =>
    guard((_: string, __: string, ___: unknown, msg: UserNotice) =>
      reports.event({ is: 'message', message: noticeOf(kind, msg) }),
    )
  chat.onSub(notice('member'))
  chat.onResub(notice('member'))
  chat.onSubGift(notice('member'))
  chat.onCommunitySub(notice('member'))
  chat.onRaid(notice('raid'))
  chat.onAnnouncement(notice('notice'))
  // The type of the client promises the id; the line may lack it.
  const removed = guard((id: string | undefined) => {
    if (!id) throw new Error('A deletion without an id')
    reports.event({ is: 'deleted', id })
  })
  chat.onMessageRemove((_, id) => removed(id))
  const cleared = guard((tags: ReadonlyMap<string, string>) => {
    const senderId = tags.get('target-user-id')
    reports.event({ is: 'cleared', ...(senderId === undefined ? {} : { senderId }) })
  })
  chat.onBan((_, __, { tags }) => cleared(tags))
  chat.onTimeout((_, __, ___, { tags }) => cleared(tags))
  chat.onChatClear(() => reports.event({ is: 'cleared' }))
  chat.onJoin(() => reports.event({ is: 'state', state: 'reading' }))
  chat.onJoinFailure((_, reason) =>
    reason === 'msg_channel_suspended' || reason === 'msg_banned'
      ? reports.refused('page', `Twitch refused the chat: ${reason}`)
      : reports.lost(`The chat could not be joined: ${reason}`),
  )
  chat.onDisconnect((_, reason) => reports.lost(reason?.message ?? 'Twitch closed the connection'))
  chat.connect()
  return () => chat.quit()
}

function messageOf(msg: ChatMessage): PlatformMessage {
  const text = extractMessageText(msg.text)
  const { userId, userName, displayName, color, badges } = msg.userInfo
  if (!msg.id || !userId) throw new Error('A message without ids')
  return {
    // Messages of a shared chat have the id of their first chat.
    id: msg.tags.get('source-id') ?? msg.id,
    kind: 'message',
    text,
    entities: entitiesOf(text, msg.emoteOffsets),
    sender: { id: userId, name: displayName, login: userName, ...(color ? { color } : {}), ...marksOf(badges) },
    createdAt: msg.date,
    ...bitsOf(msg.bits),
    ...(msg.parentMessageId === null ? {} : { replyTo: msg.parentMessageId }),
  }
}

/** Splits a text at its emotes. Positions count code points. */
function entitiesOf(text: string, emotes: ChatMessage['emoteOffsets']): ChatEntity[] {
  if (emotes.size === 0) return [{ type: 'text', text }]
  const characters = Array.from(text)
  return parseChatMessage(text, emotes).map((part) =>
    part.type === 'emote'
      ? emoteOf(part.id, part.name)
      : { type: 'text', text: characters.slice(part.position, part.position + part.length).join('') },
  )
}

function noticeOf(kind: PlatformMessage['kind'], { tags, text = '' }: UserNotice): PlatformMessage {
  const system = tags.get('system-msg') ?? ''
  const id = tags.get('id')
  if (!id) throw new Error('A notice without an id')
  const login = tags.get('login') ?? ''
  const badges = (tags.get('badges') ?? '').split(',').filter((badge) => badge.includes('/'))
  const body = [system, text].filter((part) => part !== '').join(' – ')
  return {
    id,
    kind,
    text: body,
    entities: [{ type: 'text', text: body }],
    sender: {
      id: tags.get('user-id') ?? '',
      name: tags.get('display-name') || login,
      login,
      ...marksOf(badges.map((badge) => badge.split('/') as [string, string])),
    },
    createdAt: new Date(Number(tags.get('tmi-sent-ts') ?? Number.NaN)),
  }
}
