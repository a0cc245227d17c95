// Addresses and keys from forms: read, or refused by the name of the field that they stood in.
import type { PlatformType } from '#contract/entities/channel.ts'
import { ValidationError } from '#server/core/errors.ts'
import type { Settings } from '#server/core/settings.ts'
import { type AddressFault, addressFaults, type Destination, readAddress } from '#server/domain/destinations.ts'

/** Where the address stood, and of which platform the channel is. */
interface Field {
  readonly property: 'rtmp_url' | 'ingress_url' | 'url'
  readonly type?: PlatformType
}

/** Reads an address. @throws ValidationError that names the field and the fault */
export function destinationOf(text: string, settings: Settings, { property, type }: Field): Destination {
  const read = readAddress(text, settings)
  if ('fault' in read) throw refusal(property, read.fault)
  if (type === undefined) return read
  const srt = read.protocol === 'srt'
  if (srt !== (type === 'srt')) throw refusal(property, srt ? 'not_rtmp' : 'not_srt')
  return read
}

const refusal = (property: string, fault: AddressFault) =>
  new ValidationError([{ property, constraints: { [`address_${fault}`]: addressFaults[fault] } }])

/** A key as it was pasted, without the white space around it. @throws ValidationError for one that cannot be sent */
export function streamKeyOf(text: string): string {
  const key = text.trim()
  if (/[\s\p{Cc}]/u.test(key)) {
    throw new ValidationError([{ property: 'stream_key', constraints: { stream_key: 'must not contain white space' } }])
  }
  return key
}
