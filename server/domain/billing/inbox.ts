// Webhook messages of providers: verified, stored once, and turned into looks. A message says which payment to look at, and
// nothing else is taken from it.
import type { IncomingHttpHeaders } from 'node:http'
import { iso } from '#server/core/clock.ts'
import { transaction } from '#server/db/transaction.ts'
import { noteEvent, upsertEvent } from './inbox-store.ts'
import { findPaymentByRefs, hintPayment } from './payments-store.ts'
import { findProvider } from './registry.ts'
import type { PayServices } from './services.ts'

/** A message as it arrived. */
export interface Message {
  readonly headers: IncomingHttpHeaders
  readonly rawBody: Buffer
  /** Address of the sender, as far as `TRUST_PROXY` allows. */
  readonly address: string
}

/**
 * Stores a message and requests a look at its payment. A message that arrived before requests another look. One about an
 * unknown payment is counted only.
 * @returns `unknown` without such a provider, `forged` when the provider's verification fails
 */
export async function receiveMessage(
  services: PayServices,
  name: string,
  { headers, rawBody, address }: Message,
): Promise<'accepted' | 'unknown' | 'forged'> {
  const { db, clock } = services
  const provider = findProvider(services, name)
  if (!provider) return 'unknown'
  const heard = await provider.heard(headers, rawBody, address)
  if (!heard) return 'forged'
  const now = iso(clock.now())
  await transaction(db, async (trx) => {
    const payment = heard.refs.length === 0 ? undefined : await findPaymentByRefs(trx, name, heard.refs)
    await noteEvent(trx, name, now, payment !== undefined)
    if (!payment) return
    await upsertEvent(trx, {
      provider: name,
      event_id: heard.eventId,
      payment_id: payment.id,
      body: rawBody.toString('utf8'),
      date_create: now,
    })
    await hintPayment(trx, payment.id, now)
  })
  return 'accepted'
}
