// Webhook messages of providers: verified, stored once, and turned into checks. Only the id of the payment is read from a message.
import type { IncomingHttpHeaders } from 'node:http'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { isOverLimit } from '#server/core/limits.ts'
import { transaction } from '#server/db/transaction.ts'
import { countEvents, updateProviderEvent, upsertEvent, findPaymentByRefs } from './store.ts'
import { findProvider } from '#server/domain/billing/providers/registry.ts'
import { scheduleCheck } from './schedule.ts'
import type { PayServices } from '#server/domain/billing/providers/provider.ts'

type LimitedServices = PayServices & Pick<Services, 'limits'>

/** Messages of a payment in a minute that are stored and checked immediately. */
const messagesPerMinute = 60
/** Messages of a payment that are stored, with this many characters of each. */
const storedMax = 200
const storedChars = 4096

/** A message as it arrived. */
export interface Message {
  readonly headers: IncomingHttpHeaders
  readonly rawBody: Buffer
  /** Address of the sender, as far as `TRUST_PROXY` allows. */
  readonly address: string
}

/**
 * Stores a message and requests a check of its payment. A message that arrived before requests another check. One about an
 * unknown payment leaves no trace but the time of the provider's last message, once a minute. Above 60 messages of a payment in a minute, and 200 in total, nothing more is stored, and
 * the payment is checked within a minute: unsigned messages can be forged in any number.
 * @returns `unknown` without such a provider, `forged` when the provider's verification fails, `ignored` without a payment of
 *   this service, `verified` for a signed message, `accepted` for one that only a check can verify
 */
export async function receiveMessage(
  services: LimitedServices,
  name: string,
  { headers, rawBody, address }: Message,
): Promise<'accepted' | 'verified' | 'ignored' | 'unknown' | 'forged'> {
  const { db, clock, limits } = services
  const provider = findProvider(services, name)
  if (!provider) return 'unknown'
  const paymentOf = async (refs: readonly string[]) =>
    refs.length === 0 ? null : ((await findPaymentByRefs(db, name, refs))?.id ?? null)
  const message = await provider.readWebhook(headers, rawBody, { address, paymentOf })
  if (!message) return 'forged'
  if (message === 'ignored') return 'ignored'
  const now = iso(clock.now())
  const paymentId = await paymentOf(message.refs)
  if (paymentId === null) {
    if (!isOverLimit(limits, `pay message of ${name}`, 1)) await updateProviderEvent(db, name, now)
    return 'ignored'
  }
  await transaction(db, async (trx) => {
    await updateProviderEvent(trx, name, now)
    const isFlood = isOverLimit(limits, `pay message ${paymentId}`, messagesPerMinute)
    if (!isFlood && (await countEvents(trx, paymentId)) < storedMax) {
      await upsertEvent(trx, {
        provider: name,
        event_id: message.eventId,
        payment_id: paymentId,
        body: rawBody.toString('utf8').slice(0, storedChars),
        date_create: now,
      })
    }
    await scheduleCheck(trx, paymentId, isFlood ? 60_000 : 0)
  })
  return provider.signsMessages ? 'verified' : 'accepted'
}
