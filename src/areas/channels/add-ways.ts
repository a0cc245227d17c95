// Operations that add a channel, by platform, and validation of their input.
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import type { WriteOperation } from '#contract/core/operation.ts'
import { type Platform, type PlatformType } from '#contract/entities/channel.ts'
import { factsOf, isOneOf, keyPlatforms, pagePlatforms } from '#contract/platforms/platforms.ts'
import { isWithin, pageAddress } from '#contract/entities/hosts.ts'

/** Input of the form for a new channel. */
export interface AddDraft {
  readonly name: string
  /** Ingest address of the destination. */
  readonly address: string
  readonly key: string
  /** URL of the channel page on the platform. */
  readonly page: string
}

type AddOperation = WriteOperation<(typeof addChannel.any)['input'], (typeof addChannel.any)['output']>

interface AddFields {
  /** Typed as the widest operation; `inputOf` returns the fields of each. */
  readonly op: AddOperation
  readonly fields: readonly (keyof AddDraft)[]
  readonly inputOf: (draft: AddDraft) => object
}

/** Returns the platform of a new channel: any address can be one of SRT, which has no stream key. */
export const typeOf = (type: PlatformType, address: string): PlatformType =>
  type === 'custom' && /^\s*srt:\/\//i.test(address) ? 'srt' : type

/** Returns how to add a channel by address and key: the platform's published operation, or Relaydeck's generic one. */
export function wayOf(type: PlatformType): AddFields {
  if (type === 'srt')
    return {
      op: addChannel.srt as unknown as AddOperation,
      fields: ['address', 'name'],
      inputOf: ({ name, address }) => ({ name: name.trim(), ingress_url: address.trim() }),
    }
  const keyed = ({ address, key }: AddDraft) => ({ rtmp_url: address.trim(), stream_key: key.trim() })
  if (isOneOf(pagePlatforms, type))
    return {
      op: addChannel[type] as unknown as AddOperation,
      fields: ['address', 'key', 'page'],
      inputOf: (draft) => ({ ...keyed(draft), channel_url: pageOf(draft.page) }),
    }
  const named = (draft: AddDraft) => ({ ...keyed(draft), name: draft.name.trim() })
  const fields = ['address', 'key', 'name'] as const
  return isOneOf(keyPlatforms, type)
    ? { op: addChannel[type] as unknown as AddOperation, fields, inputOf: named }
    : { op: addChannel.any, fields, inputOf: (draft) => ({ ...named(draft), type }) }
}

/** The address of a page as it is saved: with its scheme. */
export const pageOf = (text: string): string => pageAddress(text) ?? text.trim()

/** URL schemes that the service accepts. */
const schemes = /^(rtmps?|srt):\/\/[^\s/]+/i

/**
 * Validates a field before the request.
 * @param type platform of the form: one for any address takes SRT too
 * @returns a key below `channels:wrong`, or null when the field is valid
 */
export function problemOf(field: keyof AddDraft, value: string, type: PlatformType | 'any'): string | null {
  const text = value.trim()
  const wrong = type === 'srt' ? 'srtAddress' : type === 'any' ? 'anyAddress' : 'address'
  if (field === 'address') return schemes.test(text) ? null : wrong
  if (field === 'page') return URL.canParse(pageAddress(text) ?? '') ? null : 'page'
  if (field === 'name') return text === '' ? 'name' : null
  return text === '' ? 'key' : /\s/.test(text) ? 'keySpace' : null
}

/**
 * Returns whether an address needs a plan with custom addresses, because its host is not a server of the platform.
 * For an address without a host, returns whether the platform publishes ingest servers.
 */
export function isCustomAddress({ type, ingests, hosts }: Pick<Platform, 'type' | 'ingests' | 'hosts'>, text: string) {
  if (factsOf(type).generic) return true
  const host = hostOf(text)
  return host === '' ? ingests.length > 0 : !isWithin(host, hosts)
}

/** Host in URL spelling; empty for an incomplete address. */
function hostOf(text: string): string {
  const rest = /^(?:rtmps?|srt):\/\/(.+)$/i.exec(text.trim())?.[1]
  return (rest === undefined ? undefined : URL.parse(`https://${rest}`))?.hostname.replace(/\.$/, '') ?? ''
}
