// Test double of Telegram's Bot API (core.telegram.org/bots/api): one bot, a channel with its discussion group, private chats.
import { type DoublePlatform, DoubleReply, type DoubleRequest } from './double.ts'

const token = '123:bot'
/** Settings of a service with the bot of the double. */
export const withBot = { TELEGRAM_BOT_TOKEN: token } as const

const group = { id: -1_009_876_543_210, type: 'supergroup', title: 'Ann on air chat' }
const chat = { id: -1_001_234_567_890, type: 'channel', title: 'Ann on air', username: 'annlive' }
const bot = { id: 123, is_bot: true, first_name: 'Relaydeck', username: 'relaydeck_bot' }

/** A message that the bot sent. */
export interface SentByBot {
  readonly chat_id: string
  readonly text: string
  readonly message_id: number
  readonly reply_parameters?: { readonly message_id: number }
}

export interface TelegramDouble {
  readonly platform: DoublePlatform
  readonly chat: typeof chat
  readonly group: typeof group
  /** Posts to the channel. @returns after the service has confirmed the update */
  readonly post: (message: Readonly<Record<string, unknown>>) => Promise<void>
  /** Delivers a message of the discussion group. @returns after the service has confirmed the update */
  readonly say: (message: Readonly<Record<string, unknown>>) => Promise<void>
  /** Delivers a message of a private chat. @returns after the service has confirmed the update */
  readonly write: (userId: number, text: string) => Promise<void>
  /** Delivers any update, also one that is no update. @returns after the service has confirmed it */
  readonly deliver: (update: Readonly<Record<string, unknown>>) => Promise<void>
  /** Puts values before the updates of the next answer. `now`: answers a waiting call with them alone. */
  readonly garble: (values: readonly unknown[], now?: 'now') => void
  /** Refuses the next calls of a method: 409, 429, 403 and others. */
  readonly refuse: (method: string, code: number, description: string, more?: object) => void
  /** Status and rights of the bot in the discussion group. */
  member: Readonly<Record<string, unknown>>
  /** Status of other users in the discussion group, by id; without an entry a user is a plain member. */
  readonly statuses: Map<number, string>
  readonly sent: SentByBot[]
  /** `deleteMessage` and other calls with their parameters. */
  readonly acts: { readonly method: string; readonly body: Readonly<Record<string, unknown>> }[]
  /** Calls of `getUpdates` that were served. */
  polls: number
}

const writer = { is_bot: false, first_name: 'Bob', username: 'bob', language_code: 'en' }
const ok = (result: unknown) => ({ ok: true, result })
const refusal = (code: number, description: string, more: object = {}) =>
  new DoubleReply(code, { ok: false, error_code: code, description, ...more })

const entitiesOf = (text: string) => {
  const length = /^\/\w+(@\w+)?/.exec(text)?.[0].length
  return length === undefined ? [] : [{ type: 'bot_command', offset: 0, length }]
}

const getChat = ({ chat_id }: DoubleRequest['body']) => {
  if (String(chat_id) === String(chat.id)) return ok({ ...chat, linked_chat_id: group.id })
  return String(chat_id) === String(group.id) ? ok(group) : refusal(400, 'Bad Request: chat not found')
}

const memberOf = ({ member, statuses }: TelegramDouble, id: number) =>
  id === bot.id ? { user: bot, ...member } : { user: { ...writer, id }, status: statuses.get(id) ?? 'member' }

/** Methods without an effect on the double but their entry in `acts`. */
function plainMethods(double: () => TelegramDouble) {
  const act = (method: string, fields: readonly string[]) =>
    [
      method,
      (body: DoubleRequest['body']) => {
        double().acts.push({ method, body })
        return ok(true)
      },
      fields,
    ] as const
  return [
    ['getMe', () => ok(bot), []],
    ['deleteWebhook', () => ok(true), []],
    ['getChat', getChat, ['chat_id']],
    [
      'getChatMember',
      ({ user_id }: DoubleRequest['body']) => ok(memberOf(double(), Number(user_id))),
      ['chat_id', 'user_id'],
    ],
    act('deleteMessage', ['chat_id', 'message_id']),
    act('restrictChatMember', ['chat_id', 'user_id', 'permissions']),
    act('banChatMember', ['chat_id', 'user_id']),
    act('unbanChatMember', ['chat_id', 'user_id']),
  ] as const
}

/** Creates the double. The Bot API serves one `getUpdates` at a time and ends the older one with 409. */
export function telegramDouble(): TelegramDouble {
  const updates: { readonly update_id: number }[] = []
  let garbage: readonly unknown[] = []
  const confirmations: { readonly id: number; readonly done: () => void }[] = []
  const refusals = new Map<string, DoubleReply[]>()
  let wake: (() => void) | null = null
  let conflict: ((reply: DoubleReply) => void) | null = null
  let nextId = 100
  let nextMessage = 1000

  const deliver: TelegramDouble['deliver'] = (update) => {
    const update_id = nextId++
    updates.push({ update_id, ...update })
    wake?.()
    return new Promise((done) => confirmations.push({ id: update_id, done }))
  }
  const pending = (offset: number) => updates.filter(({ update_id }) => update_id >= offset)

  const page = (offset: number) => {
    const values = [...garbage, ...pending(offset)]
    garbage = []
    return values
  }

  async function getUpdates({ body, gone }: DoubleRequest): Promise<unknown> {
    conflict?.(
      refusal(409, 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running'),
    )
    double.polls++
    const offset = Number(body['offset'] ?? 0)
    for (const { id, done } of confirmations) if (id < offset) done()
    if (pending(offset).length > 0) return ok(page(offset))
    return await new Promise((done) => {
      const end = (reply: unknown) => {
        clearTimeout(timer)
        if (conflict === end) [wake, conflict] = [null, null]
        done(reply)
      }
      const timer = setTimeout(() => end(ok([])), Number(body['timeout'] ?? 0) * 1000)
      gone.addEventListener('abort', () => end(ok([])))
      wake = () => end(ok(page(offset)))
      conflict = end
    })
  }

  const send = (body: DoubleRequest['body']) => {
    const message = { ...(body as unknown as SentByBot), chat_id: String(body['chat_id']), message_id: nextMessage++ }
    double.sent.push(message)
    const where = [chat, group].find(({ id }) => String(id) === message.chat_id)
    const there = where ?? { id: Number(message.chat_id), type: 'private' }
    return ok({ message_id: message.message_id, date: 1, chat: there, from: bot, text: message.text })
  }
  const methods = [...plainMethods(() => double), ['sendMessage', send, ['chat_id', 'text']]] as const

  const route = (name: string, answer: (request: DoubleRequest) => unknown, body: readonly string[] = []) => [
    `POST api.telegram.org/bot${token}/${name}`,
    { body, answer: (request: DoubleRequest) => refusals.get(name)?.shift() ?? answer(request) },
  ]
  const double: TelegramDouble = {
    chat,
    group,
    post: (message) => deliver({ channel_post: { chat, date: 1, ...message } }),
    say: (message) => deliver({ message: { chat: group, date: 1, from: { id: 42, first_name: 'Bob' }, ...message } }),
    write: (id, text) => {
      const where = { chat: { id, type: 'private' }, from: { ...writer, id } }
      return deliver({ message: { message_id: nextMessage++, date: 1, ...where, text, entities: entitiesOf(text) } })
    },
    deliver,
    garble(values, now) {
      garbage = values
      if (now) wake?.()
    },
    refuse: (method, code, description, more) =>
      void refusals.set(method, [...(refusals.get(method) ?? []), refusal(code, description, more)]),
    member: { status: 'administrator', can_delete_messages: true, can_restrict_members: true },
    statuses: new Map(),
    sent: [],
    acts: [],
    polls: 0,
    platform: {
      // The token is part of the path.
      tokenOf: () => token,
      unauthorized: refusal(401, 'Unauthorized'),
      routes: Object.fromEntries([
        route('getUpdates', getUpdates),
        ...methods.map(([name, answer, fields]) => route(name, ({ body }) => answer(body), fields)),
      ]) as DoublePlatform['routes'],
    },
  }
  return double
}
