// Webhooks of PayPal: the signature is verified here with the certificate of PayPal, so that a forged message costs no call.
// Only ids are read from a message. (developer.paypal.com/api/rest/webhooks/rest)
import { verify, X509Certificate } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { crc32 } from 'node:zlib'
import * as z from 'zod/mini'
import type { Services } from '#server/core/context.ts'
import { callProvider, ProviderUnavailableError } from '#server/core/provider-http.ts'
import { paypalHosts, type PaypalAccount } from './paypal-account.ts'
import type { Heard } from './provider.ts'

type CertificateServices = Pick<Services, 'config' | 'clock'>

const certificatePath = /^\/v1\/notifications\/certs\/CERT-[\w-]{1,100}$/
/** Certificates that are kept, and those that are loaded in a minute: forged messages may name any number. */
const keptMax = 20
const loadsPerMinute = 10

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

/** Creates the check of messages. @returns null for a message that PayPal has not signed for this webhook */
export function paypalWebhooks(services: CertificateServices, account: PaypalAccount) {
  const certificates = certificatesOf(services, account)
  return async (headers: IncomingHttpHeaders, rawBody: Buffer): Promise<Heard | null> => {
    const signed = z.safeParse(Signature, headers)
    if (!signed.success) return null
    const { 'paypal-transmission-id': id, 'paypal-transmission-time': time } = signed.data
    const key = await certificates(signed.data['paypal-cert-url'])
    if (key === null) return null
    const text = Buffer.from([id, time, account.webhookId, crc32(rawBody)].join('|'))
    const signature = Buffer.from(signed.data['paypal-transmission-sig'], 'base64')
    return verify('sha256', text, key.publicKey, signature) ? messageOf(rawBody) : null
  }
}

/**
 * Creates the store of PayPal's certificates. The host in the address is one of PayPal's, and TLS proves it.
 * @returns null for another address, and for a certificate that is expired or that PayPal does not have
 */
function certificatesOf({ config, clock }: CertificateServices, { mode }: PaypalAccount) {
  /** Loads that failed are not kept. */
  const kept = new Map<string, Promise<X509Certificate | null>>()
  let minute = { start: 0, loads: 0 }

  async function load(url: string): Promise<X509Certificate | null> {
    const now = clock.now().getTime()
    if (Math.abs(now - minute.start) >= 60_000) minute = { start: now, loads: 0 }
    if (++minute.loads > loadsPerMinute) return null
    const { status, text } = await callProvider(config, 'paypal', url)
    return status === 200 ? certificateOf(text) : null
  }

  /** Concurrent messages share one load. */
  async function loadOnce(url: string): Promise<X509Certificate | null> {
    const known = kept.get(url)
    if (known) return await known
    if (kept.size >= keptMax) kept.clear()
    const loading = load(url)
    kept.set(url, loading)
    const isKept = await loading.then(
      (certificate) => certificate !== null,
      () => false,
    )
    if (!isKept) kept.delete(url)
    return await loading
  }

  return async (address: string): Promise<X509Certificate | null> => {
    const url = URL.canParse(address) ? new URL(address) : null
    if (url?.protocol !== 'https:' || !certificatePath.test(url.pathname) || url.port !== '') return null
    if (!paypalHosts[mode].certificates.includes(url.hostname)) return null
    const certificate = await loadOnce(`https://${url.hostname}${url.pathname}`)
    const now = clock.now()
    return certificate && certificate.validFromDate <= now && now <= certificate.validToDate ? certificate : null
  }
}

function certificateOf(text: string): X509Certificate | null {
  try {
    const certificate = new X509Certificate(text)
    return certificate.publicKey.asymmetricKeyType === 'rsa' ? certificate : null
  } catch {
    throw new ProviderUnavailableError('paypal')
  }
}

function messageOf(rawBody: Buffer): Heard | null {
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
