// Addresses, keys and names from forms: read, or refused by the name of the field that they stood in.
import { pageAddress } from '#contract/entities/hosts.ts'
import type { PlatformType } from '#contract/entities/channel.ts'
import type { Call } from '#server/core/context.ts'
import { ValidationError } from '#server/core/errors.ts'
import { type AddressFault, type Destination, readAddress } from '#server/domain/channels/destinations.ts'

/** Faults of addresses, of the platform they are for, and of the fields beside them. */
type InputFault = AddressFault | 'not_srt' | 'not_rtmp' | 'stream_key' | 'page' | 'empty'

type Ctx = Pick<Call, 'config'>

/** Returns the refusal of one field; programs know the fault of an address as `address_*`. */
function refusal(property: string, fault: InputFault): ValidationError {
  const code = property.endsWith('url') && fault !== 'page' ? `address_${fault}` : fault
  return new ValidationError([{ property, code, sentence: fault }])
}

/** Where the address stood, and of which platform the channel is. */
interface Field {
  readonly property: 'rtmp_url' | 'ingress_url' | 'url'
  readonly type?: PlatformType
}

/** Reads an address. @throws ValidationError that names the field and the fault */
export function destinationOf(ctx: Ctx, text: string, { property, type }: Field): Destination {
  const read = readAddress(text, ctx.config)
  if ('fault' in read) throw refusal(property, type === 'srt' && read.fault === 'protocol' ? 'not_srt' : read.fault)
  if (type === undefined) return read
  const srt = read.protocol === 'srt'
  if (srt !== (type === 'srt')) throw refusal(property, srt ? 'not_rtmp' : 'not_srt')
  return read
}

/** A key as it was pasted, without the white space around it. @throws ValidationError for one that cannot be sent */
export function streamKeyOf(text: string): string {
  const key = text.trim()
  if (/[\s\p{Cc}]/u.test(key)) throw refusal('stream_key', 'stream_key')
  return key
}

/** A name without the white space around it. @throws ValidationError when nothing is left */
export function nameOf(text: string): string {
  const name = text.trim()
  if (name === '') throw refusal('name', 'empty')
  return name
}

/** The page of a channel, and the name that stands at its end. @throws ValidationError when it is no web address */
export function pageOf(text: string): { readonly url: string; readonly name: string } {
  const url = URL.parse(pageAddress(text) ?? '')
  if (!url) throw refusal('channel_url', 'page')
  const last = url.pathname.split('/').findLast((part) => part !== '')
  return { url: url.href, name: last ?? url.hostname }
}
