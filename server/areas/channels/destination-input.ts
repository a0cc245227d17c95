// Addresses, keys and names from forms: read, or refused by the name of the field that they stood in.
import { pageAddress } from '#contract/entities/hosts.ts'
import type { PlatformType } from '#contract/entities/channel.ts'
import cn from '#locales/cn/service/fields.json' with { type: 'json' }
import en from '#locales/en/service/fields.json' with { type: 'json' }
import ru from '#locales/ru/service/fields.json' with { type: 'json' }
import type { Call } from '#server/core/context.ts'
import { ValidationError } from '#server/core/errors.ts'
import { type AddressFault, type Destination, readAddress } from '#server/domain/channels/destinations.ts'
import type { Language } from '#contract/core/wire.ts'

/** Faults of addresses, of the platform they are for, and of the fields beside them. */
type InputFault = AddressFault | 'not_srt' | 'not_rtmp' | 'stream_key' | 'page' | 'empty'

const texts: Readonly<Record<Language, Readonly<Record<InputFault, string>>>> = {
  en: en.address,
  ru: ru.address,
  cn: cn.address,
}

type Ctx = Pick<Call, 'config' | 'language'>

/** A refusal of one field, in the caller's language; `address_*` is what programs know it by. */
function refusal({ language }: Pick<Ctx, 'language'>, property: string, fault: InputFault): ValidationError {
  const name = property.endsWith('url') && fault !== 'page' ? `address_${fault}` : fault
  return new ValidationError([{ property, constraints: { [name]: texts[language][fault] } }])
}

/** Where the address stood, and of which platform the channel is. */
interface Field {
  readonly property: 'rtmp_url' | 'ingress_url' | 'url'
  readonly type?: PlatformType
}

/** Reads an address. @throws ValidationError that names the field and the fault */
export function destinationOf(ctx: Ctx, text: string, { property, type }: Field): Destination {
  const read = readAddress(text, ctx.config)
  if ('fault' in read)
    throw refusal(ctx, property, type === 'srt' && read.fault === 'protocol' ? 'not_srt' : read.fault)
  if (type === undefined) return read
  const srt = read.protocol === 'srt'
  if (srt !== (type === 'srt')) throw refusal(ctx, property, srt ? 'not_rtmp' : 'not_srt')
  return read
}

/** A key as it was pasted, without the white space around it. @throws ValidationError for one that cannot be sent */
export function streamKeyOf(ctx: Ctx, text: string): string {
  const key = text.trim()
  if (/[\s\p{Cc}]/u.test(key)) throw refusal(ctx, 'stream_key', 'stream_key')
  return key
}

/** A name without the white space around it. @throws ValidationError when nothing is left */
export function nameOf(ctx: Ctx, text: string): string {
  const name = text.trim()
  if (name === '') throw refusal(ctx, 'name', 'empty')
  return name
}

/** The page of a channel, and the name that stands at its end. @throws ValidationError when it is no web address */
export function pageOf(ctx: Ctx, text: string): { readonly url: string; readonly name: string } {
  const url = URL.parse(pageAddress(text) ?? '')
  if (!url) throw refusal(ctx, 'channel_url', 'page')
  const last = url.pathname.split('/').findLast((part) => part !== '')
  return { url: url.href, name: last ?? url.hostname }
}
