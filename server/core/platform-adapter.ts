// The interface of the API of a platform for connected accounts. `server/platforms/<type>/platform.ts` implements it.
import type { AccountPlatform } from '#contract/platforms/platforms.ts'
import type { ApiConventions, ProviderApi } from './platform-api.ts'

/** Owner of an account. */
export interface Identity {
  readonly id: string
  readonly name: string
  /** URL of an image, or empty. */
  readonly avatar: string
}

/** A profile, community or channel that an account may stream to. */
export interface PlatformChannel {
  /** The platform's own id. */
  readonly id: string
  readonly name: string
  readonly photo: string
  readonly members: number
  /** Its page. */
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

/** Address and stream key. */
export interface Ingest {
  readonly url: string
  readonly key: string
}

/** A broadcast that was started at a platform. */
export interface Started extends Ingest {
  /** The platform's own id of it. */
  readonly videoId?: string
  /** Its page. */
  readonly page?: string
}

/** Viewers of a broadcast. */
export interface Audience {
  /** Null: the platform publishes no count. */
  readonly viewers: number | null
  /** Page of the broadcast. */
  readonly page?: string
  /** The platform shows the broadcast, or does not; absent: its answer does not tell. */
  readonly onAir?: boolean
  /** The platform says that the broadcast is over. */
  readonly ended?: boolean
  /** Reason in the words of the platform, where it does not show the broadcast. */
  readonly words?: string
}

/** A broadcast whose viewers are counted. */
export interface WatchedBroadcast {
  /** The platform's own id of the channel. */
  readonly externalId: string
  /** Id from `start`, if there was one. */
  readonly videoId: string | null
  /** Page of the broadcast, as an earlier count returned it. */
  readonly page: string | null
  /** The platform did not show the broadcast last time, and gave no reason yet. */
  readonly isDark: boolean
}

/** Counting of many broadcasts in one call, which any account of the platform may make. */
export interface AudiencesTogether {
  /** Broadcasts of one call. */
  readonly max: number
  /** Returns the id of a broadcast in the call; null when it is unknown yet. */
  idOf(broadcast: WatchedBroadcast): string | null
  /** Returns the viewers by id. Broadcasts without an entry are counted by `one`. */
  ask(api: ProviderApi, ids: readonly string[]): Promise<ReadonlyMap<string, Audience>>
}

/** Counting of viewers. */
interface Audiences {
  readonly many?: AudiencesTogether
  /** Counts a broadcast with its own account. */
  one?(api: ProviderApi, broadcast: WatchedBroadcast): Promise<Audience>
}

/** A broadcast that the platform shows no longer, for its successor. */
export interface EndedBroadcast {
  readonly title: string
  /** Properties that the successor has as well, as the platform names them. */
  readonly copied: Readonly<Record<'snippet' | 'status' | 'contentDetails', object>>
}

/** Identifies a broadcast that the service made: calls that make one have no key of their own. */
export interface BroadcastMark {
  readonly title: string
  /** Scheduled start, ISO 8601, whole seconds. */
  readonly startAt: string
}

/** The stream of a channel that is sent to the platform. */
export interface SentStream {
  /** Its stream key. */
  readonly key: string
  /** Page of the last broadcast that the platform showed; null: unknown. */
  readonly page: string | null
}

/** New broadcasts of streams that are still sent, after the platform ended their broadcast (decision 0100). */
export interface Healing {
  /** Finds the broadcast that ended. @returns null when the platform needs no new one */
  findEnded(api: ProviderApi, stream: SentStream): Promise<EndedBroadcast | null>
  /** Finds a broadcast that was made before, by its mark. */
  findMade(api: ProviderApi, mark: BroadcastMark): Promise<string | null>
  /** Makes a broadcast that begins with its stream. @returns its id */
  insert(api: ProviderApi, ended: EndedBroadcast, mark: BroadcastMark): Promise<string>
  /** Feeds a broadcast from the stream, unless it is fed already. @returns false when one of them is missing */
  bind(api: ProviderApi, id: string, key: string): Promise<boolean>
  /** `shown`: it has begun. `gone`: it was removed or revoked. */
  stateOf(api: ProviderApi, id: string): Promise<'waiting' | 'shown' | 'gone'>
  /** Begins a broadcast that did not begin with its stream. */
  start(api: ProviderApi, id: string): Promise<void>
  /** Returns the page of a broadcast. */
  pageOf(id: string): string
}

/** What a planned broadcast has beside its title and time. */
export interface PlannedDetails {
  readonly description: string
  readonly privacy: 'public' | 'unlisted' | 'private'
  /** As the stream settings name it; null: as usual. */
  readonly audience: string | null
  readonly latency: string | null
  /** It ends with its stream. */
  readonly isStopped: boolean
}

/** Broadcasts that are planned for the runs of schedules (decision 0116). They begin with their stream. */
export interface Planning extends Pick<Healing, 'findMade' | 'bind' | 'stateOf' | 'pageOf'> {
  /** Returns a title as the platform accepts it. */
  titleOf(title: string): string
  /** Makes a broadcast. @returns its id */
  insert(api: ProviderApi, mark: BroadcastMark, details: PlannedDetails): Promise<string>
  /** Changes title, time, description, privacy and audience. @returns false when the platform has the broadcast no longer */
  update(api: ProviderApi, id: string, mark: BroadcastMark, details: PlannedDetails): Promise<boolean>
  /** Deletes a broadcast that has not begun. */
  remove(api: ProviderApi, id: string): Promise<void>
}

/** Stream settings, in the names of the wire's writes. */
export type StreamSettings = Readonly<Record<string, unknown>>

/** A platform. `externalId` is the platform's own id of a channel. */
export interface PlatformAdapter extends ApiConventions {
  /** Kind of the accounts. */
  readonly account: AccountPlatform
  /** OAuth scopes. */
  readonly scopes: readonly string[]
  /** Additional scopes of an account that is connected with chat; absent: chat needs no others. */
  readonly chatScopes?: readonly string[]
  identify(api: ProviderApi): Promise<Identity>
  /** Returns what the account may stream to: one channel if `single`. */
  channels(api: ProviderApi): Promise<readonly PlatformChannel[]>
  /** True if connecting an account adds its channel; otherwise channels are added one by one. */
  readonly single: boolean
  /** Returns the permanent address and key; absent where each broadcast has its own (`start`). */
  ingest?(api: ProviderApi, externalId: string): Promise<Ingest>
  /** Starts a broadcast. `planned`: id of a planned one. */
  start?(api: ProviderApi, externalId: string, settings: StreamSettings, planned: string | null): Promise<Started>
  /** Ends a broadcast of `start`. */
  end?(api: ProviderApi, externalId: string, videoId: string): Promise<void>
  /** Absent: the platform publishes no viewers. */
  readonly audience?: Audiences
  /** Absent: the service makes no broadcasts after the platform ended one. */
  readonly healing?: Healing
  /** Absent: the service plans no broadcasts. */
  readonly planning?: Planning
  /** Sends title, category and other settings to the platform. @returns false when it shows no broadcast that takes them */
  describe?(
    api: ProviderApi,
    externalId: string,
    settings: StreamSettings,
    planned: string | null,
  ): Promise<boolean | void>
  categories?(api: ProviderApi, query: string): Promise<readonly CategoryItem[]>
  playlists?(api: ProviderApi, externalId: string): Promise<readonly { readonly id: string; readonly name: string }[]>
  planned?(api: ProviderApi, externalId: string): Promise<readonly PlannedItem[]>
}

/** The adapters, by the kind of their accounts. */
export type PlatformAdapters = Readonly<Record<AccountPlatform, PlatformAdapter>>

/** Returns a setting that is a text and not empty. */
export const textOf = (settings: StreamSettings, name: string): string | undefined => {
  const value = settings[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the items whose name contains a text, ignoring case. */
export const named = <T extends { readonly name: string }>(items: readonly T[], query: string): T[] =>
  items.filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase()))
