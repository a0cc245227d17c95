// Abilities of a chat, by the facts of its platform and what the channel was granted.
import type { ChatCapability } from '#contract/entities/chat-message.ts'
import { chatFacts } from '#contract/platforms/chats.gen.ts'
import type { ChatFacts } from '#contract/platforms/facts.ts'
import type { PlatformType } from '#contract/platforms/platforms.ts'

/** Limit of the published operation, characters. */
const apiTextMax = 300

const chats: Readonly<Partial<Record<string, ChatFacts>>> = chatFacts

/** Returns the facts of the chat of a platform; undefined where it has none. */
export const chatOf = (platform: string): ChatFacts | undefined => chats[platform]

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

/** Returns what the chat of a channel can do. Pure: the facts and the grant. */
export function abilitiesOf(platform: PlatformType, grant: Grant): Abilities {
  const chat = chatOf(platform)
  if (!chat) return nothing
  const base: Abilities = {
    ...nothing,
    text_max: Math.min(chat.textMax, apiTextMax),
    rate: chat.rate,
    popout_url: grant.page === null ? null : (chat.popout?.replace('{name}', encodeURIComponent(grant.page)) ?? null),
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

const isComplete = ({ remove, restrict }: ChatFacts, has: (scopes: readonly string[]) => boolean): boolean =>
  has(remove ?? []) && has(restrict?.scopes ?? [])

/** Returns the missing condition of reading without an account; null: none. */
function missingToRead(reading: ChatFacts['read'], { page, setup, bot }: Grant): Needs {
  if (reading === 'bot') return bot ? null : 'setup'
  if (reading === 'account' || (reading === 'page+key' && !setup)) return 'account'
  if (reading === 'page+setup' && !setup) return 'setup'
  return page === null ? 'page' : null
}

function needsOf(
  chat: ChatFacts,
  grant: Grant,
  now: { readonly read: boolean; readonly send: boolean; readonly complete: boolean },
): Needs {
  if (grant.account === 'broken') return 'reconnect'
  if (!now.read) return missingToRead(chat.read, grant)
  if (now.complete) return null
  if (chat.read === 'bot') return null
  return grant.account === 'none' ? 'account' : 'scope'
}
