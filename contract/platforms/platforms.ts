// The platforms by their wire names, and lists of those with a property.
import type { Ability, Facts } from './facts.ts'
import { facts } from './facts.gen.ts'
import type { forms } from './forms.gen.ts'

type All = typeof facts
/** Platforms by wire name; `custom` is any RTMP address, `srt` any SRT address. */
export type PlatformType = keyof All

/** Platforms whose facts have a property. */
type Having<P> = { [T in PlatformType]: All[T] extends P ? T : never }[PlatformType]

/** Returns the facts of a platform. */
export const factsOf = (type: PlatformType): Facts => facts[type]

const orderOf = (type: PlatformType): number => factsOf(type).order ?? factsOf(type).id

/** All platforms, in the order of the pages. */
export const platformTypes = (Object.keys(facts) as PlatformType[]).toSorted((a, b) => orderOf(a) - orderOf(b))

const having = <P>(is: (facts: Facts) => unknown) =>
  platformTypes.filter((type): type is Having<P> => Boolean(is(facts[type])))

/** Abilities of each kind. */
const kinds: Readonly<Record<Facts['kind'], readonly Ability[]>> = {
  key: ['is_adding', 'edit_name', 'rtmp_url', 'rtmp_key'],
  account: [
    'is_adding',
    'edit_name',
    'rtmp_url',
    'rtmp_key',
    'oauth',
    'set_title',
    'created_stream',
    'options',
    'url_stream',
  ],
  closed: ['edit_name', 'rtmp_url', 'rtmp_key'],
  other: [],
}

/** Returns whether a platform has an ability. */
export function hasAbility(type: PlatformType, ability: Ability): boolean {
  const { kind, can = [] } = factsOf(type)
  return kinds[kind].includes(ability) || can.includes(ability)
}

/** Platforms with a published operation that adds channels by name, address and key. */
export const keyPlatforms = having<{ readonly published: 'name' }>(({ published }) => published === 'name')
/** The same, with the address of the channel's page instead of a name. */
export const pagePlatforms = having<{ readonly published: 'page' }>(({ published }) => published === 'page')

/** Returns whether the API of a platform takes stream settings. */
export const takesSettings = (type: PlatformType): type is Having<{ readonly settings: true }> =>
  factsOf(type).settings === true

/** Returns whether a new broadcast can be made at the platform of a channel with an account. */
export const canHeal = (type: PlatformType): boolean => factsOf(type).healing === true

/** Returns whether a platform shows no stream without sound. */
export const needsSound = (type: PlatformType): boolean => (factsOf(type).needs?.audioKbps ?? 0) > 0

type Union<T> = T extends unknown ? T : never
type Accounts = { [T in PlatformType]: All[T] extends { readonly accounts: infer A } ? A : never }[PlatformType]
/** Kinds of accounts that can be connected. `vk-id` is VK with its newer sign-in. */
export type AccountPlatform = Accounts extends infer A ? (A extends unknown ? keyof Union<A> : never) : never
/** Names of OAuth registrations. */
export type OAuthName = Accounts extends infer A
  ? A extends Readonly<Record<string, { readonly oauth: infer O }>>
    ? O
    : never
  : never

/** A kind of account: its platform, title and OAuth registration. */
export interface AccountKind {
  readonly type: PlatformType
  readonly title: string
  readonly oauth: OAuthName
}

export const accountKinds = Object.fromEntries(
  platformTypes.flatMap((type) =>
    Object.entries(factsOf(type).accounts ?? {}).map(([name, { title, oauth }]) => [name, { type, title, oauth }]),
  ),
) as unknown as Readonly<Record<AccountPlatform, AccountKind>>

/** Kinds of accounts that can be connected. */
export const accountPlatforms = Object.keys(accountKinds) as AccountPlatform[]

/** Returns the kinds of accounts of a platform, the preferred one first. */
export const accountsOf = (type: PlatformType): AccountPlatform[] =>
  accountPlatforms.filter((name) => accountKinds[name].type === type)

/** Names of OAuth registrations. */
export const oauthNames = [...new Set(accountPlatforms.map((name) => accountKinds[name].oauth))]

export type PlacePlatform = Having<{ readonly places: true }>
/** Platforms where one account has several places, each of which becomes a channel. */
export const placePlatforms = having<{ readonly places: true }>(({ places }) => places)

export type CategoryPlatform = Having<{ readonly categories: true }>
/** Platforms with a searchable list of categories. */
export const categoryPlatforms = having<{ readonly categories: true }>(({ categories }) => categories)

/** Platforms with a form for stream settings. */
export type FormPlatform = keyof typeof forms

/** Returns whether a text is in a list of names. */
export const isOneOf = <T extends string>(names: readonly T[], text: string): text is T =>
  names.some((name) => name === text)
