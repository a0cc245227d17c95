// Calls platforms for sent messages, and stores the outcomes.
import { ChatSendError } from '#server/core/chat-errors.ts'
import type { ChatPlace } from '#server/core/chat.ts'
import type { Reading, Services } from '#server/core/context.ts'
import { transaction } from '#server/db/transaction.ts'
import { publishChat } from './changes.ts'
import { type Outcome, recordOutcome } from './own-messages.ts'
import type { TargetRow } from './sends-store.ts'
import { platformKey } from './store-events.ts'
import { plain } from './texts.ts'

/** Time that the response waits for platforms, milliseconds. Later outcomes are published. */
const answerMs = 5_000

/** A message for one restream, stored as `sending`. */
export interface SendJob {
  readonly target: Pick<TargetRow, 'event_id' | 'restream_id' | 'broadcast_id'>
  readonly place: ChatPlace
  readonly text: string
  readonly replyTo: string | undefined
  readonly attempt: number
}

/** Sends, and waits for the outcomes for a while. Later ones are stored and published as well. */
export async function settleWithin(services: Services, jobs: readonly SendJob[]): Promise<void> {
  if (jobs.length === 0) return
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<void>((resolve) => (timer = setTimeout(resolve, answerMs).unref()))
  await Promise.race([Promise.all(jobs.map((job) => settle(services, job))), waited])
  clearTimeout(timer)
}

async function settle(services: Services, job: SendJob): Promise<void> {
  const { target, place } = job
  try {
    const outcome = await outcomeOf(services, job)
    const chat = await transaction(services.db, (trx) => recordOutcome(trx, target, outcome, services.clock.now()))
    publishChat(services, chat)
  } catch (error) {
    services.log.error({ err: error, source: place.source }, 'The outcome of a chat message was not stored')
  }
}

async function outcomeOf(
  { chat, log }: Reading<Services>,
  { target, place, text, replyTo, attempt }: SendJob,
): Promise<Outcome> {
  const nonce = `${target.event_id}-${target.restream_id}-${attempt}`
  const nothing = { platform_id: null, platform_key: null, error: null, retry_after: null }
  try {
    const { id } = await chat.send(place, { text, nonce, ...(replyTo === undefined ? {} : { replyTo }) })
    const known =
      id === null ? {} : { platform_id: plain(id), platform_key: platformKey(place.platform, place.source, plain(id)) }
    return { ...nothing, state: 'delivered', ...known }
  } catch (error) {
    if (!(error instanceof ChatSendError)) {
      log.warn({ err: error, source: place.source }, 'A chat message has an unknown outcome')
      return { ...nothing, state: 'unknown', error: 'unknown' }
    }
    const { reason, retryAfter } = error
    return { ...nothing, state: reason === 'unknown' ? 'unknown' : 'failed', error: reason, retry_after: retryAfter }
  }
}
