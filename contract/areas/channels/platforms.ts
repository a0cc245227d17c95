// Platforms and the accounts of users there.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, listOf, Nothing, Redirect, Success } from '#contract/core/wire.ts'
import { Platform } from '#contract/entities/channel.ts'
import { accountPlatforms, categoryPlatforms, placePlatforms } from '#contract/platforms/platforms.ts'

const AccountPlatform = z.enum(accountPlatforms)

/** Account of the signed-in user. `status` (decided): 1 valid, 0 needs to be connected again. */
export const Account = z.object({
  id: z.int(),
  /** Id of the account at the platform. */
  accountId: z.string(),
  name: z.string(),
  /** Address of the avatar; empty without one. */
  avatar: z.string(),
  status: z.int(),
  platform: AccountPlatform,
  /** Number of channels that use the account, in all projects. */
  channels: z.int(),
  /** Decided. 1: connected with chat; 0: connect it again with chat to write; absent: chat needs no permission. */
  chat: z.optional(z.int()),
})
export type Account = z.output<typeof Account>

/** Streaming target of an account at a platform: a community, or the account itself. */
export const AccountChannel = z.object({
  id: z.string(),
  name: z.string(),
  photo: z.string(),
  members: z.int(),
  /** Existing channel of the project with this target. */
  connectedId: z.nullable(z.int()),
  accounts: z.array(z.object({ id: z.string(), name: z.string(), avatar: z.string(), internalId: z.int() })),
})
export type AccountChannel = z.output<typeof AccountChannel>

const Entry = z.object({ id: z.string(), name: z.string() })
export const Category = z.extend(Entry, {
  image: z.optional(z.string()),
  subList: z.optional(z.array(Entry)),
})
export type Category = z.output<typeof Category>

/** Redirect address for the browser (decided; published without a body). */
const Url = z.object({ url: z.string() })
const text = (max: number) => z.optional(z.string().check(z.maxLength(max)))
/** Account number as text: up to nine digits, which fit into 32 bits. */
const accountNumber = z.string().check(z.regex(/^[1-9]\d{0,8}$/))
const subId = text(255)
/** Address of the dashboard that the browser returns to. */
const redirect = text(2000)

/** Query parameters that providers add to the redirect address. */
const Answer = z.object({
  state: text(500),
  code: text(4000),
  error: text(500),
  device_id: text(500),
  iss: text(500),
})

const callback = <I extends z.ZodMiniType>(segment: string, name: string, input: I) =>
  write('GET', segment, {
    name,
    input,
    output: Redirect,
    status: 302,
    auth: 'none',
    scope: 'session',
    provenance: 'published',
    carries: [],
    notes: { device_id: 'VK ID only', iss: 'issuer of the response (RFC 9207)' },
  })

export const platforms = group(
  'channels.platforms',
  { prefix: 'platforms', title: 'Platforms' },
  {
    list: read('list', {
      name: 'Supported platforms',
      input: Nothing,
      output: listOf(Platform),
      isForWidgets: true,
      auth: 'none',
      scope: 'any',
      provenance: 'published',
    }),
    category: read('category', {
      name: 'Get category from the platform',
      input: z.object({ q: text(255), type: z.enum(categoryPlatforms) }),
      output: listOf(Category),
      auth: 'session',
      scope: 'any',
      provenance: 'published',
      notes: { q: 'part of the name', type: 'platform of an account that the caller may use' },
    }),
    accounts: read('accounts', {
      name: 'Get accounts',
      input: z.object({ platform: z.optional(AccountPlatform) }),
      output: listOf(Account),
      auth: 'session',
      scope: 'profile:read',
      provenance: 'published',
      notes: { platform: 'decided: left out, of all platforms; `vk` has those of `vk-id` as well' },
    }),
    accountChannels: read('account/channels', {
      name: 'Get channels with accounts',
      input: z.extend(InProject, {
        platform: z.enum(placePlatforms),
        ids: z.array(Id).check(z.minLength(1), z.maxLength(20)),
        q: z._default(z.string().check(z.maxLength(255)), ''),
        sort: z._default(z.enum(['asc', 'desc']), 'asc'),
        request_id: z.string().check(z.minLength(1), z.maxLength(100)),
        limit: z._default(z.int().check(z.minimum(1), z.maximum(100)), 10),
        page: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 1),
      }),
      output: z.object({
        results: z.array(AccountChannel),
        totalItems: z.int(),
        totalPages: z.int(),
        currentPage: z.int(),
        nextPage: z.int(),
      }),
      auth: 'editor',
      scope: 'channels:read',
      provenance: 'published',
      notes: {
        ids: 'numbers of accounts (`id` of the list)',
        q: 'part of the name',
        sort: 'by name',
        request_id: 'any text; each call sends a new request to the platform',
      },
    }),
    accountRemove: write('POST', 'account/remove', {
      name: 'Remove account',
      input: z.object({ platform: AccountPlatform, id: accountNumber }),
      output: Success,
      status: 201,
      auth: 'session',
      scope: 'profile:write',
      provenance: 'published',
      notes: { id: 'the number of the account as text' },
    }),
    logout: write('POST', 'logout', {
      name: 'Sign an account out',
      placement: 'query',
      input: z.object({ id: accountNumber, platform: AccountPlatform }),
      output: z.extend(Success, { results: z.array(z.extend(Entry, { image: z.optional(z.string()) })) }),
      auth: 'session',
      scope: 'profile:write',
      provenance: 'published',
      notes: {
        id: 'ID of the account; its channels stay and wait until the account is connected again',
        results: 'decided: the account that was signed out',
      },
    }),
    connect: write('GET', 'connect', {
      name: 'Get url for start oauth',
      input: z.extend(InProject, { platform: AccountPlatform, sub_id: subId, redirect, chat: z.optional(z.boolean()) }),
      output: Url,
      auth: 'editor',
      scope: 'session',
      provenance: 'published',
      notes: {
        sub_id: 'returned by `connect/finish`',
        redirect: 'decided: page of the dashboard to come back to; an origin this service serves or trusts',
        chat: 'decided: also requests the permissions to write and moderate in chat',
      },
    }),
    connectCommunity: write('GET', 'connect/vk-community', {
      name: 'Get url for start oauth of a community',
      input: z.extend(InProject, {
        channel_id: Id,
        account_id: accountNumber,
        sub_id: subId,
        redirect,
      }),
      output: Url,
      auth: 'editor',
      scope: 'session',
      provenance: 'published',
      notes: { channel_id: 'a channel of the project that is a community', account_id: 'number of its account' },
    }),
    finish: write('POST', 'connect/finish', {
      name: 'Finish connecting an account',
      input: z.object({ state: z.string().check(z.minLength(16), z.maxLength(200)) }),
      output: z.extend(Success, {
        project_id: z.int(),
        platform: AccountPlatform,
        account: z.object({ id: z.int(), name: z.string() }),
        channel_id: z.nullable(z.int()),
        active: z.nullable(z.boolean()),
        sub_id: z.nullable(z.string()),
      }),
      status: 201,
      auth: 'session',
      scope: 'session',
      provenance: 'decided',
      replay: 'never',
      notes: {
        state: 'from the callback URL; valid once, for the user that started',
        channel_id: 'the channel that was made; null where places of the account become channels one by one',
      },
    }),
    callbackVkId: callback('vk-id/callback', 'Internal request of auth vk-id', Answer),
    callbackCommunity: callback('vk/callback-community', 'Internal request of auth of a community', Answer),
    callback: callback(
      '{provider}/callback',
      'Internal request of auth of a platform',
      z.extend(Answer, { provider: AccountPlatform }),
    ),
  },
)
