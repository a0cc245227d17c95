// Schemas of the values of environment variables.
import * as z from 'zod/mini'
import { oauthNames } from '#contract/platforms/platforms.ts'
import { paySettings } from '#server/domain/billing/providers/settings.gen.ts'
import { clientAddress } from '#server/app/http/client-address.ts'

export const text = z.string()

/** An origin, for example `https://live.example.com`. */
export const origin = z.string().check(z.refine((value) => URL.parse(value)?.origin === value))

/** A list, separated by commas or spaces. */
export const list = z.pipe(
  z.string(),
  z.transform((value) => value.split(/[\s,]+/).filter(Boolean)),
)

const providerHosts = [...oauthNames, 'telegram', ...Object.keys(paySettings)]

/** Origins of provider hosts, as `name=origin` pairs. Plain HTTP is accepted for this machine only. */
export const providerBases = z.pipe(
  z.pipe(
    z.string(),
    z.transform((value) => value.split(/[\s,]+/).flatMap((pair) => (pair === '' ? [] : [pair.split('=')]))),
  ),
  z.array(z.tuple([z.enum(providerHosts), z.string().check(z.refine(isSafeBase))])),
)

/** Addresses or networks of proxies. */
export const proxies = z.string().check(z.refine(isTrusted))

/** Address of a WebSocket. */
export const socketAddress = z.string().check(z.refine((value) => hasScheme(value, 'ws:', 'wss:')))

/** Address of a mail server. */
export const mailServer = z
  .string()
  .check(z.refine((value) => hasScheme(value, 'smtp:', 'smtps:') && URL.parse(value)?.hostname !== ''))

const hasScheme = (value: string, ...schemes: readonly string[]): boolean =>
  schemes.includes(URL.parse(value)?.protocol ?? '')

function isSafeBase(base: string): boolean {
  const url = URL.parse(base)
  if (url?.origin !== base) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname))
}

function isTrusted(addresses: string): boolean {
  try {
    clientAddress(addresses)
    return true
  } catch {
    return false
  }
}
