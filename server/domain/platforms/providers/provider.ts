// What a platform can do with somebody's account, the same for all of them. Each platform is a small file beside this.
import type { PlatformType } from '#contract/entities/channel.ts'
import type { Manners, ProviderApi } from './api.ts'

/** Whose account it is. */
export interface Identity {
  readonly id: string
  readonly name: string
  /** Address of a picture, or empty. */
  readonly avatar: string
}

/** Where an account may stream to. */
export interface Place {
  /** The platform's own id. */
  readonly id: string
  readonly name: string
  readonly photo: string
  readonly members: number
  /** Page of it. */
  readonly url: string
}

export interface CategoryItem {
  readonly id: string
  readonly name: string
  readonly image?: string
  readonly subList?: readonly { readonly id: string; readonly name: string }[]
}

export interface PlannedItem {
  readonly id: string
  readonly title: string
  readonly description: string
  /** ISO 8601, UTC. */
  readonly date: string
}

/** Where the encoder's stream goes. */
export interface Ingest {
  readonly url: string
  readonly key: string
}

/** A broadcast that was begun at a platform. */
export interface Started extends Ingest {
  /** The platform's own id of it. */
  readonly videoId?: string
  /** Page of it. */
  readonly page?: string
}

/** How many watch. */
export interface Audience {
  /** Null: the platform does not say. */
  readonly viewers: number | null
  /** Page of what they watch. */
  readonly page?: string
}

/** Settings of a stream as our writes name them. */
export type StreamSettings = Readonly<Record<string, unknown>>

/** A platform. `place` is the platform's own id of what a channel is there. */
export interface Provider extends Manners {
  /** What people are asked for. */
  readonly scopes: readonly string[]
  /** Type of the channels that come from it. */
  readonly type: PlatformType
  identify(api: ProviderApi): Promise<Identity>
  /** Where the account may stream to; one place when the account is itself the channel. */
  places(api: ProviderApi): Promise<readonly Place[]>
  /** True when each connected account is a channel at once; else places are added one by one. */
  readonly single: boolean
  /** Address and key that stay the same; absent where each broadcast gets its own (`start`). */
  ingest?(api: ProviderApi, place: string): Promise<Ingest>
  /** Makes a broadcast there. `planned` is one that waits for it. */
  start?(api: ProviderApi, place: string, settings: StreamSettings, planned: string | null): Promise<Started>
  /** Ends what `start` began. */
  end?(api: ProviderApi, place: string, videoId: string): Promise<void>
  /** How many watch now. `videoId` is what `start` answered, where there was one. */
  audience?(api: ProviderApi, place: string, videoId: string | null): Promise<Audience>
  /** Tells the platform title, category and the like. */
  describe?(api: ProviderApi, place: string, settings: StreamSettings, planned: string | null): Promise<void>
  categories?(api: ProviderApi, query: string): Promise<readonly CategoryItem[]>
  playlists?(api: ProviderApi, place: string): Promise<readonly { readonly id: string; readonly name: string }[]>
  planned?(api: ProviderApi, place: string): Promise<readonly PlannedItem[]>
}

/** A setting that is text and says something. */
export const textOf = (settings: StreamSettings, name: string): string | undefined => {
  const value = settings[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Items whose name has the text in it, in any case. */
export const named = <T extends { readonly name: string }>(items: readonly T[], query: string): T[] =>
  items.filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase()))
