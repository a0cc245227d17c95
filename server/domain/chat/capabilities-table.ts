// Abilities of the chat of each platform, and their conditions. Sources: docs/chat.md.
import type { ChatCapability } from '#contract/entities/chat-message.ts'
import type { PlatformType } from '#contract/entities/channel.ts'

/**
 * Condition of reading: the page of the channel, a connected account, the page and a registration, or a bot. `page+key`: an account,
 * or the page where the service has a key for public data.
 */
type Reading = 'page' | 'account' | 'page+setup' | 'page+key' | 'bot'

/** Abilities of the chat of a platform. Scopes: all of them have to be granted; null: no such command. */
export interface PlatformChat {
  readonly read: Reading
  readonly send: readonly string[] | null
  readonly reply: boolean
  readonly remove: readonly string[] | null
  readonly restrict: {
    readonly how: 'ban' | 'timeout'
    /** Longest timeout, seconds. */
    readonly max: number | null
    readonly scopes: readonly string[]
  } | null
  /** Characters; the API takes 300. */
  readonly textMax: number
  readonly rate: { readonly messages: number; readonly seconds: number }
  /** Returns the chat at the platform by the name in the address of the channel's page. */
  readonly popout: ((name: string) => string) | null
}

/** Limit of the published operation, characters. */
const apiTextMax = 300
const day = 86_400

export const platformChats: Readonly<Partial<Record<PlatformType, PlatformChat>>> = {
  twitch: {
    read: 'page',
    send: ['user:write:chat'],
    reply: true,
    remove: ['moderator:manage:chat_messages'],
    restrict: { how: 'timeout', max: 14 * day, scopes: ['moderator:manage:banned_users'] },
    textMax: 500,
    rate: { messages: 20, seconds: 30 },
    popout: (name) => `https://www.twitch.tv/popout/${name}/chat`,
  },
  youtube: {
    read: 'page+key',
    send: [],
    reply: false,
    remove: [],
    restrict: { how: 'timeout', max: day, scopes: [] },
    textMax: 200,
    rate: { messages: 10, seconds: 30 },
    popout: null,
  },
  vkvideolive: {
    read: 'page+setup',
    send: ['chat:message:send'],
    reply: false,
    remove: null,
    restrict: null,
    textMax: 500,
    rate: { messages: 10, seconds: 30 },
    popout: (name) => `https://live.vkvideo.ru/${name}/only-chat`,
  },
  vk: {
    read: 'account',
    send: [],
    reply: true,
    remove: [],
    restrict: { how: 'ban', max: null, scopes: [] },
    textMax: 4096,
    rate: { messages: 10, seconds: 30 },
    popout: null,
  },
  telegram: {
    read: 'bot',
    send: [],
    reply: true,
    remove: [],
    restrict: { how: 'timeout', max: 366 * day, scopes: [] },
    textMax: 4096,
    rate: { messages: 20, seconds: 60 },
    popout: null,
  },
  kick: {
    read: 'page+setup',
    send: ['chat:write'],
    reply: true,
    remove: ['moderation:chat_message:manage'],
    restrict: { how: 'timeout', max: 7 * day, scopes: ['moderation:ban'] },
    textMax: 500,
    rate: { messages: 10, seconds: 30 },
    popout: (name) => `https://kick.com/popout/${name}/chat`,
  },
  trovo: {
    read: 'page+setup',
    send: ['chat_send_self', 'send_to_my_channel'],
    reply: false,
    remove: ['manage_messages'],
    restrict: { how: 'timeout', max: 7 * day, scopes: ['manage_messages'] },
    textMax: 300,
    rate: { messages: 10, seconds: 30 },
    popout: (name) => `https://trovo.live/chat/${name}`,
  },
}

/** Accounts, scopes and registrations of one chat. */
export interface Grant {
  readonly account: 'none' | 'broken' | 'works'
  /** Scopes that the account granted. */
  readonly scopes: readonly string[]
  /** Name in the address of the channel's page; null: unknown. */
  readonly page: string | null
  /** The bot is in the chat. */
  readonly bot: boolean
  /** The service has a registration for the platform, and a public address where the platform requires one. */
  readonly setup: boolean
  /** The plan of the project has chat. */
  readonly plan: boolean
}

/** Abilities without the names and the state. */
export type Abilities = Omit<
  ChatCapability,
  'restream_id' | 'channel_id' | 'name' | 'platform' | 'state' | 'reason' | 'until' | 'gap_since'
>
type Needs = ChatCapability['needs']

const nothing = {
  read: false,
  send: false,
  reply: false,
  delete: false,
  restricts: 'none',
  timeout_max: null,
  text_max: apiTextMax,
  rate: { messages: 0, seconds: 30 },
  needs: null,
  popout_url: null,
} as const satisfies Abilities

/** Returns what the chat of a channel can do. Pure: the table and the grant. */
export function abilitiesOf(platform: PlatformType, grant: Grant): Abilities {
  const chat = platformChats[platform]
  if (!chat) return nothing
  const base: Abilities = {
    ...nothing,
    text_max: Math.min(chat.textMax, apiTextMax),
    rate: chat.rate,
    popout_url: grant.page === null || !chat.popout ? null : chat.popout(encodeURIComponent(grant.page)),
  }
  if (!grant.plan) return { ...base, needs: 'plan' }
  const writes = chat.read === 'bot' ? grant.bot : grant.account === 'works'
  const has = (scopes: readonly string[] | null | undefined): boolean =>
    writes && scopes !== null && scopes !== undefined && scopes.every((scope) => grant.scopes.includes(scope))
  const read = writes || missingToRead(chat.read, grant) === null
  const send = read && has(chat.send)
  const restricts = read && has(chat.restrict?.scopes) ? (chat.restrict?.how ?? 'none') : 'none'
  return {
    ...base,
    read,
    send,
    reply: send && chat.reply,
    delete: read && has(chat.remove),
    restricts,
    timeout_max: restricts === 'timeout' ? (chat.restrict?.max ?? null) : null,
    needs: needsOf(chat, grant, { read, send, complete: send && isComplete(chat, has) }),
  }
}

const isComplete = ({ remove, restrict }: PlatformChat, has: (scopes: readonly string[]) => boolean): boolean =>
  has(remove ?? []) && has(restrict?.scopes ?? [])

/** Returns the missing condition of reading without an account; null: none. */
function missingToRead(reading: Reading, { page, setup, bot }: Grant): Needs {
  if (reading === 'bot') return bot ? null : 'setup'
  if (reading === 'account' || (reading === 'page+key' && !setup)) return 'account'
  if (reading === 'page+setup' && !setup) return 'setup'
  return page === null ? 'page' : null
}

function needsOf(
  chat: PlatformChat,
  grant: Grant,
  now: { readonly read: boolean; readonly send: boolean; readonly complete: boolean },
): Needs {
  if (grant.account === 'broken') return 'reconnect'
  if (!now.read) return missingToRead(chat.read, grant)
  if (now.complete) return null
  if (chat.read === 'bot') return null
  return grant.account === 'none' ? 'account' : 'scope'
}
