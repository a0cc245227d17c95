// Webhooks of PayPal: the signature is verified here with the certificate of PayPal. A certificate is loaded only for a message
// that names a payment of this service. Only ids are read from a message. (developer.paypal.com/api/rest/webhooks/rest)
import { verify, X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { crc32 } from 'node:zlib'
import * as z from 'zod/mini'
import type { Services } from '#server/core/context.ts'
import { createLimits, isOverLimit } from '#server/core/limits.ts'
import { callProvider, ProviderUnavailableError } from '#server/core/provider-http.ts'
import { paypalHosts, type PaypalAccount } from './settings.ts'
import type { WebhookMessage, Sender } from '#server/domain/billing/providers/provider.ts'

type CertificateServices = Pick<Services, 'config' | 'clock'>

const certificatePath = /^\/v1\/notifications\/certs\/CERT-[\w-]{1,100}$/
/** Certificates that are kept, of those that verified a message and of the others each. */
const keptMax = 20
/** Loads for messages about one payment: forged addresses use up those of the payment that they name only. */
const loadsPerMinute = 3

const Header = z.string().check(z.regex(/^[\x21-\x7e]{1,1000}$/))
const Signature = z.object({
  'paypal-transmission-id': Header,
  'paypal-transmission-time': Header,
  'paypal-transmission-sig': Header,
  'paypal-cert-url': Header,
  'paypal-auth-algo': z.literal('SHA256withRSA'),
})

/** Id of an object at PayPal, or of ours. Other text could hold characters that the database refuses. */
const Id = z.string().check(z.regex(/^[\w-]{1,127}$/))
const MaybeId = z.optional(z.catch(z.nullable(Id), null))
const Message = z.object({
  id: Id,
  resource: z.object({
    id: MaybeId,
    custom_id: MaybeId,
    invoice_id: MaybeId,
    supplementary_data: z.optional(
      z.object({ related_ids: z.optional(z.object({ order_id: MaybeId, capture_id: MaybeId })) }),
    ),
    purchase_units: z.optional(z.array(z.object({ custom_id: MaybeId }))),
    disputed_transactions: z.optional(
      z.array(z.object({ seller_transaction_id: MaybeId, custom: MaybeId, invoice_number: MaybeId })),
    ),
    links: z.optional(z.array(z.object({ rel: z.string(), href: z.string() }))),
  }),
})

/**
 * Creates the check of messages. It returns null for a message that PayPal has not signed for this webhook, and `ignored` for
 * one without a payment of ours.
 */
export function paypalWebhooks(services: CertificateServices, account: PaypalAccount) {
  const certificates = createCertificates(services)
  return async (
    headers: IncomingHttpHeaders,
    rawBody: Buffer,
    { paymentOf }: Pick<Sender, 'paymentOf'>,
  ): Promise<WebhookMessage | 'ignored' | null> => {
    const signed = z.safeParse(Signature, headers)
    const message = messageOf(rawBody)
    if (!signed.success || !message) return null
    const paymentId = await paymentOf(message.refs)
    if (paymentId === null) return 'ignored'
    const { 'paypal-transmission-id': id, 'paypal-transmission-time': time } = signed.data
    const url = certificateUrl(signed.data['paypal-cert-url'], account)
    const key = url === null ? null : await certificates.get(url, paymentId)
    if (url === null || key === null) return null
    const text = Buffer.from([id, time, account.webhookId, crc32(rawBody)].join('|'))
    const signature = Buffer.from(signed.data['paypal-transmission-sig'], 'base64')
    if (!verify('sha256', text, key.publicKey, signature)) return null
    certificates.keep(url, key)
    return message
  }
}

/** Store of PayPal's certificates. */
interface Certificates {
  /**
   * Returns the certificate at an address, for a message about a payment.
   * @returns null above the loads of the payment, and for a certificate that is expired or that PayPal does not have
   */
  get(url: string, paymentId: number): Promise<X509Certificate | null>
  /** Keeps a certificate that verified a message: others do not displace it. */
  keep(url: string, certificate: X509Certificate): void
}

/** Returns the address of a certificate; null for another one. The host is one of PayPal's, and TLS proves it. */
function certificateUrl(address: string, { mode }: PaypalAccount): string | null {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.protocol !== 'https:' || !certificatePath.test(url.pathname) || url.port !== '') return null
  return paypalHosts[mode].certificates.includes(url.hostname) ? `https://${url.hostname}${url.pathname}` : null
}

function createCertificates({ config, clock }: CertificateServices): Certificates {
  const proven = new Map<string, X509Certificate>()
  /** Loads that run, and certificates that have verified nothing yet. Loads that failed are not kept. */
  const loaded = new Map<string, Promise<X509Certificate | null>>()
  const limits = createLimits(clock)

  async function load(url: string): Promise<X509Certificate | null> {
    const { status, text } = await callProvider(config, 'paypal', url)
    return status === 200 ? certificateOf(text) : null
  }

  /** Concurrent messages share one load. */
  async function loadOnce(url: string, paymentId: number): Promise<X509Certificate | null> {
    const known = loaded.get(url)
    if (known) return await known
    if (isOverLimit(limits, String(paymentId), loadsPerMinute)) return null
    const loading = load(url)
    put(loaded, url, loading)
    const isKept = await loading.then(
      (certificate) => certificate !== null,
      () => false,
    )
    if (!isKept) loaded.delete(url)
    return await loading
  }

  return {
    async get(url, paymentId) {
      const certificate = proven.get(url) ?? (await loadOnce(url, paymentId))
      const now = clock.now()
      return certificate && certificate.validFromDate <= now && now <= certificate.validToDate ? certificate : null
    },
    keep: (url, certificate) => put(proven, url, certificate),
  }
}

/** Puts a value into a map of limited size: the oldest one leaves. */
function put<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  const oldest = map.keys().next()
  if (map.size > keptMax && !oldest.done) map.delete(oldest.value)
}

function certificateOf(text: string): X509Certificate | null {
  try {
    const certificate = new X509Certificate(text)
    return certificate.publicKey.asymmetricKeyType === 'rsa' ? certificate : null
  } catch {
    throw new ProviderUnavailableError('paypal')
  }
}

function messageOf(rawBody: Buffer): WebhookMessage | null {
  try {
    const { id, resource } = Message.parse(JSON.parse(rawBody.toString('utf8')))
    const related = resource.supplementary_data?.related_ids
    const refs = [
      resource.id,
      resource.custom_id,
      resource.invoice_id,
      related?.order_id,
      related?.capture_id,
      ...(resource.purchase_units ?? []).map(({ custom_id }) => custom_id),
      ...(resource.disputed_transactions ?? []).flatMap((one) => [
        one.seller_transaction_id,
        one.custom,
        one.invoice_number,
      ]),
      ...(resource.links ?? []).filter(({ rel }) => rel === 'up').map(({ href }) => lastPart(href)),
    ]
    return { eventId: id, refs: [...new Set(refs.filter((ref) => typeof ref === 'string'))].slice(0, refsMax) }
  } catch {
    return null
  }
}

/** Ids that a message may name. */
const refsMax = 20

const lastPart = (href: string): string | undefined => {
  const part = href.split('/').at(-1) ?? ''
  return Id.safeParse(part).success ? part : undefined
}
