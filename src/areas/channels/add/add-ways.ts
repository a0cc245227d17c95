// Which operation adds a channel of which platform, and what it is told.
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import type { WriteOperation } from '#contract/core/operation.ts'
import { keyPlatforms, pagePlatforms, type Platform, type PlatformType } from '#contract/entities/channel.ts'
import { isWithin } from '#contract/entities/hosts.ts'

/** What a person says about a new channel. */
export interface AddDraft {
  readonly name: string
  /** Where the stream goes. */
  readonly address: string
  readonly key: string
  /** Page of the channel at the platform. */
  readonly page: string
}

type AddOperation = WriteOperation<(typeof addChannel.any)['input'], (typeof addChannel.any)['output']>

interface Way {
  /** Typed as the widest of the family: `inputOf` gives each what it takes. */
  readonly op: AddOperation
  readonly fields: readonly (keyof AddDraft)[]
  readonly inputOf: (draft: AddDraft) => object
}

const isOneOf = <T extends string>(list: readonly T[], type: string): type is T => list.some((one) => one === type)

/** How a channel of a platform is added by hand: the published operation, or ours where there is none. */
export function wayOf(type: PlatformType): Way {
  const keyed = ({ address, key }: AddDraft) => ({ rtmp_url: address.trim(), stream_key: key.trim() })
  if (type === 'srt')
    return {
      op: addChannel.srt as unknown as AddOperation,
      fields: ['address', 'name'],
      inputOf: ({ name, address }) => ({ name: name.trim(), ingress_url: address.trim() }),
    }
  if (isOneOf(pagePlatforms, type))
    return {
      op: addChannel[type] as unknown as AddOperation,
      fields: ['address', 'key', 'page'],
      inputOf: (draft) => ({ ...keyed(draft), channel_url: draft.page.trim() }),
    }
  const named = (draft: AddDraft) => ({ ...keyed(draft), name: draft.name.trim() })
  const fields = ['address', 'key', 'name'] as const
  return isOneOf(keyPlatforms, type)
    ? { op: addChannel[type] as unknown as AddOperation, fields, inputOf: named }
    : { op: addChannel.any, fields, inputOf: (draft) => ({ ...named(draft), type }) }
}

/** Addresses that the service takes, by how they begin. */
const schemes = /^(rtmps?|srt):\/\/[^\s/]+/i

/** What is wrong with a field before anything is sent; null when nothing is. Texts below `channels:wrong`. */
export function problemOf(field: keyof AddDraft, draft: AddDraft, type: PlatformType): string | null {
  const text = draft[field].trim()
  if (field === 'address') return !schemes.test(text) ? (type === 'srt' ? 'srtAddress' : 'address') : null
  if (field === 'page') return URL.canParse(text) && text.length >= 10 ? null : 'page'
  if (field === 'name') return text === '' ? 'name' : null
  return text === '' ? 'key' : /\s/.test(text) ? 'keySpace' : null
}

/**
 * Whether an address needs a plan with custom addresses: none of the platform's own servers. Of an address that has no host
 * yet: whether the platform has servers of its own to choose from, or none at all.
 */
export function isCustomAddress({ type, ingests, hosts }: Pick<Platform, 'type' | 'ingests' | 'hosts'>, text: string) {
  if (type === 'custom' || type === 'srt') return true
  const host = hostOf(text)
  return host === '' ? ingests.length > 0 : !isWithin(host, hosts)
}

/** Host of an address as URLs spell it; empty until there is one. */
function hostOf(text: string): string {
  const rest = /^(?:rtmps?|srt):\/\/(.+)$/i.exec(text.trim())?.[1]
  return (rest === undefined ? undefined : URL.parse(`https://${rest}`))?.hostname.replace(/\.$/, '') ?? ''
}
