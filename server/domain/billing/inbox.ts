// Webhook messages of providers: verified, stored once, and turned into looks. Only the id of the payment is read from a message.
import type { IncomingHttpHeaders } from 'node:http'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { isOverLimit } from '#server/core/limits.ts'
import { transaction } from '#server/db/transaction.ts'
import { countEvents, updateProviderEvent, upsertEvent } from './inbox-store.ts'
import { findPaymentByRefs, updatePaymentHint } from './payments-store.ts'
import { findProvider } from './providers/registry.ts'
import type { PayServices } from './services.ts'

type LimitedServices = PayServices & Pick<Services, 'limits'>

/** Messages of a payment in a minute that are stored and looked at immediately. */
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
 * Stores a message and requests a look at its payment. A message that arrived before requests another look. One about an
 * unknown payment is counted only. Above 60 messages of a payment in a minute, and 200 in total, nothing more is stored, and
 * the payment is looked at within a minute: unsigned messages can be forged in any number.
 * @returns `unknown` without such a provider, `forged` when the provider's verification fails
 */
export async function receiveMessage(
  services: LimitedServices,
  name: string,
  { headers, rawBody, address }: Message,
): Promise<'accepted' | 'unknown' | 'forged'> {
  const { db, clock } = services
  const provider = findProvider(services, name)
  if (!provider) return 'unknown'
  const heard = await provider.heard(headers, rawBody, address)
  if (!heard) return 'forged'
  const now = iso(clock.now())
  const soon = iso(later(clock.now(), 60_000))
  await transaction(db, async (trx) => {
    const payment = heard.refs.length === 0 ? undefined : await findPaymentByRefs(trx, name, heard.refs)
    await updateProviderEvent(trx, name, now, payment !== undefined)
    if (!payment) return
    const isFlood = isOverLimit(services.limits, `pay message ${payment.id}`, messagesPerMinute)
    if (!isFlood && (await countEvents(trx, payment.id)) < storedMax) {
      await upsertEvent(trx, {
        provider: name,
        event_id: heard.eventId,
        payment_id: payment.id,
        body: rawBody.toString('utf8').slice(0, storedChars),
        date_create: now,
      })
    }
    await updatePaymentHint(trx, payment.id, isFlood ? soon : now)
  })
  return 'accepted'
}
