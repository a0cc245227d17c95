// The one loop that reads the updates of the service's Telegram bot: the Bot API serves one consumer at a time, so the loop of
// one replica holds a lease. Updates connect chats, store posts, carry commands and feed the chat readers.
import { randomUUID } from 'node:crypto'
import { type Backoff, backoffMs } from '#contract/core/backoff.ts'
import type { Services } from '#server/core/context.ts'
import { pause } from '#server/core/pause.ts'
import {
  type BotCommand,
  type BotCommandHandler,
  BotRefusedError,
  botSignal,
  callBot,
} from '#server/core/telegram-bot.ts'
import { ProviderUnavailableError } from '#server/core/provider-http.ts'
import { claimOwner, lockOwner, releaseOwner, renewOwners } from '#server/db/owners.ts'
import { transaction, undoable } from '#server/db/transaction.ts'
import {
  connectByCode,
  deleteCode,
  findPostedCode,
  isGroup,
  type PostedCode,
  readUpdate,
  takeUpdate,
  type TelegramMessage,
  type TelegramUpdate,
  updateIdOf,
  wantedUpdates,
} from '#server/domain/channels/telegram.ts'
import { findNextUpdate, upsertNextUpdate } from '#server/domain/channels/telegram-store.ts'
import { type Delivery, deliver, wakeInboxes } from '#server/domain/platforms/inbox.ts'

const leaseMs = 15_000
const renewMs = 5000
/** Longest wait of one call for an update, seconds. */
const waitSeconds = 50
/** Shortest wait after a failure, milliseconds. */
const waitMinMs = 1_000
/** Random part on top of it: avoids a rhythm with another consumer. Together they are at most a minute. */
const waits: Backoff = { ladderMs: [1_000, 3_000, 7_000, 15_000, 31_000, 59_000], jitter: 1 }
/** Replies to commands of one private chat: a person that floods the bot must not delay the chats of all projects. */
const repliesPerMinute = 10
/** Wait after a refused token: only a new setting helps. */
const refusedMs = 600_000

/** Starts the loop, if the service has a bot. @returns a function that ends it and frees the lease */
export function readTelegramUpdates(services: Services, onCommand: BotCommandHandler): () => Promise<void> {
  if (services.config.telegramBotToken === null) return async () => {}
  const ending = new AbortController()
  const running = run(services, onCommand, ending.signal)
  return async () => {
    ending.abort()
    await running
  }
}

async function run(services: Services, onCommand: BotCommandHandler, ending: AbortSignal): Promise<void> {
  const holder = randomUUID()
  const { db, log } = services
  let epoch: number | null = null
  for (let failures = 0; !ending.aborted;) {
    try {
      epoch = await claimOwner(db, { kind: 'telegram', key: '', holder, ms: leaseMs })
      if (epoch === null) await pause(renewMs, ending)
      else await readWhileHolding(services, { holder, epoch, onCommand, ending, onRead: () => (failures = 0) })
    } catch (error) {
      if (ending.aborted) break
      const ms = waitAfter(error, ++failures)
      log.info({ err: error, ms }, 'Updates of Telegram could not be read')
      await pause(ms, ending)
    }
  }
  if (epoch === null) return
  await releaseOwner(db, 'telegram', '', epoch).catch((error: unknown) =>
    log.info({ err: error }, 'A lease was not freed'),
  )
}

interface Holding {
  readonly holder: string
  readonly epoch: number
  readonly onCommand: BotCommandHandler
  readonly ending: AbortSignal
  /** Called after each batch that was taken. */
  readonly onRead: () => void
}

/** Reads until the lease is lost or the loop ends. @throws failures of the Bot API and of the database */
async function readWhileHolding(services: Services, holding: Holding): Promise<void> {
  const { holder, epoch, ending } = holding
  const held = new AbortController()
  const renewal = setInterval(() => {
    renewOwners(services.db, 'telegram', holder, [{ key: '', epoch, ms: leaseMs }]).then(
      (ours) => ours.size === 0 && held.abort(),
      () => held.abort(),
    )
  }, renewMs).unref()
  const signal = AbortSignal.any([ending, held.signal])
  try {
    while (!signal.aborted) {
      const offset = await findNextUpdate(services.db)
      const request = { offset, limit: 100, timeout: waitSeconds, allowed_updates: wantedUpdates }
      const raw = await callBot(services, (api) => api.getUpdates(request, botSignal(signal)))
      if (!Array.isArray(raw)) throw new ProviderUnavailableError('telegram')
      if (raw.length > 0 && !(await takeBatch(services, holding, raw))) return
      holding.onRead()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    clearInterval(renewal)
  }
}

/**
 * Takes updates, then moves the offset in the same transaction. An update without an id is dropped with the batch.
 * @returns false when the lease is lost
 * @throws ProviderUnavailableError when no update has an id: the offset cannot be moved; failures of the Bot API
 */
async function takeBatch(services: Services, { epoch, onCommand }: Holding, raw: readonly unknown[]): Promise<boolean> {
  const ids = raw.map(updateIdOf).filter((id) => id !== null)
  if (ids.length === 0) throw new ProviderUnavailableError('telegram')
  const updates = raw.map(readUpdate).filter((update) => update !== null)
  const codes = await codesIn(services, updates)
  await answerCommands(services, onCommand, updates)
  const deliveries = updates.filter((update) => !codes.has(update)).flatMap(deliveriesOf)
  const next = Math.max(...ids) + 1
  const isTaken = await transaction(services.db, async (trx) => {
    if ((await lockOwner(trx, 'telegram', ''))?.epoch !== epoch) return false
    await upsertNextUpdate(trx, next)
    for (const update of updates) {
      const code = codes.get(update)
      const take = () => (code ? connectByCode(services, trx, code) : takeUpdate(services, trx, update))
      // One update that cannot be stored must not hold up the others.
      await undoable(trx, take).catch((error: unknown) =>
        services.log.warn({ err: error, update: update.update_id }, 'An update of Telegram was dropped'),
      )
    }
    await deliver(services, trx, deliveries)
    return true
  })
  if (!isTaken) return false
  wakeInboxes(services.db, new Set(deliveries.map(({ source }) => source)))
  for (const code of codes.values()) await deleteCode(services, code)
  return true
}

async function codesIn(services: Services, updates: readonly TelegramUpdate[]) {
  const codes = new Map<TelegramUpdate, PostedCode>()
  for (const update of updates) {
    const code = await findPostedCode(services, update)
    if (code) codes.set(update, code)
  }
  return codes
}

/** Messages of groups, for the readers of their chats. */
function deliveriesOf({ message }: TelegramUpdate): Delivery[] {
  if (!message || !isGroup(message.chat)) return []
  return [{ source: `telegram:${message.chat.id}`, externalId: String(message.message_id), body: message }]
}

async function answerCommands(
  services: Services,
  onCommand: BotCommandHandler,
  updates: readonly TelegramUpdate[],
): Promise<void> {
  for (const update of updates) {
    const command = commandOf(update)
    if (!command) continue
    try {
      const reply = await onCommand(services, command)
      // A chat that blocked the bot receives nothing.
      if (update.my_chat_member !== undefined) continue
      services.limits.count(`telegram reply ${command.chatId}`, repliesPerMinute)
      await callBot(services, (api) => api.sendMessage(command.chatId, reply))
    } catch (error) {
      services.log.info({ err: error, command: command.command }, 'A command to the bot failed')
    }
  }
}

/** Returns the command of an update: in private chats only. */
export function commandOf({ message, my_chat_member: member }: TelegramUpdate): BotCommand | null {
  if (member?.chat.type === 'private' && member.new_chat_member.status === 'kicked') {
    return { command: 'stop', argument: '', ...userOf(member.chat.id, member.from) }
  }
  if (message?.chat.type !== 'private' || !message.from || message.from.is_bot) return null
  const parts = /^\/(start|stop)(?:@\w{1,64})?(?:\s+(\S{1,256}))?\s*$/.exec(message.text ?? '')
  if (!parts) return null
  const command = parts[1] === 'start' ? 'start' : 'stop'
  return { command, argument: parts[2] ?? '', ...userOf(message.chat.id, message.from) }
}

const userOf = (id: number, from: NonNullable<TelegramMessage['from']>) => ({
  chatId: String(id),
  name: `${from.first_name} ${from.last_name}`.trim().slice(0, 128),
  login: from.username,
  language: from.language_code,
})

/** Returns the wait after a failure, milliseconds. @param failures in a row, from 1 */
export function waitAfter(error: unknown, failures: number): number {
  if (error instanceof BotRefusedError && [401, 404].includes(error.code)) return refusedMs
  const backoff = waitMinMs + backoffMs(waits, failures)
  if (!(error instanceof BotRefusedError) || error.retryAfter === null) return backoff
  return Math.max(error.retryAfter * 1000, failures > 1 ? backoff : 0)
}
