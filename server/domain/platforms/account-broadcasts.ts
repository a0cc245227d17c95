// Broadcasts at platforms, by the accounts of their channels: start, end and viewers.
import { accountKinds } from '#contract/platforms/platforms.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { ProviderUnavailableError } from '#server/core/provider-http.ts'
import { readSettings } from '#server/domain/channels/stream-info.ts'
import { type ChannelAtPlatform, findChannelAtPlatform } from '#server/domain/channels/store.ts'
import { mayCountViewers } from './quota.ts'
import { withAccount } from './accounts.ts'
import { type AccountRow, findAccount, findChannelPlatform } from './accounts-store.ts'
import type { AudiencesTogether, Audience, Started, WatchedBroadcast } from '#server/core/platform-adapter.ts'

/** Returns whether the platform assigns an address to each broadcast of the channel. */
export async function startsAtPlatform(
  services: Pick<Services, 'db' | 'platforms'>,
  channel: ChannelAtPlatform,
): Promise<boolean> {
  const account = await findAccount(services.db, channel.account_id)
  return account !== undefined && services.platforms[account.platform].start !== undefined
}

/**
 * Starts a broadcast at the platform of a channel: the planned one, if the user chose one.
 * @param title in place of that of the stream settings
 * @throws RuleError `NoAccount`, refusals of the platform
 */
export async function startAtPlatform(
  services: Services,
  channel: ChannelAtPlatform,
  title?: string,
): Promise<Started> {
  const account = await findAccount(services.db, channel.account_id)
  const start = account && services.platforms[account.platform].start
  if (!account || !start) throw new RuleError('NoAccount_lost')
  const there = await findChannelPlatform(services.db, channel.id)
  const settings = { ...readSettings(channel.settings), ...(title !== undefined && { title }) }
  return withAccount(services, account, (api) => start(api, channel.external_id, settings, there?.planned_id ?? null))
}

/** Changes to the stream settings that are sent, and the broadcast that gets them. */
interface Described {
  /** In place of that of the settings. */
  readonly title?: string | undefined
  /** Settings that are left out. */
  readonly without?: ReadonlySet<string>
  /** The platform's own id of the broadcast; left out: the planned or running one. */
  readonly videoId?: string
}

/**
 * Sends the stream settings of a channel to its running broadcast, where the platform takes them.
 * @returns `sent`; `hidden`: the platform shows no broadcast; `account`: the channel has none; `no-change`: the platform takes none
 * @throws refusals of the platform
 */
export async function describeAtPlatform(
  services: Services,
  channelId: number,
  { title, without = new Set(), videoId }: Described = {},
): Promise<'sent' | 'hidden' | 'account' | 'no-change'> {
  const channel = await findChannelAtPlatform(services.db, channelId)
  const account = channel && (await findAccount(services.db, channel.account_id))
  if (!account) return 'account'
  const { describe } = services.platforms[account.platform]
  if (!describe) return 'no-change'
  const there = await findChannelPlatform(services.db, channel.id)
  const stored = Object.entries(readSettings(channel.settings)).filter(([name]) => !without.has(name))
  const settings = { ...Object.fromEntries(stored), ...(title !== undefined && { title }) }
  if (Object.keys(settings).length === 0) return 'no-change'
  const planned = videoId ?? there?.planned_id ?? null
  const answer = await withAccount(services, account, (api) => describe(api, channel.external_id, settings, planned))
  return answer === false ? 'hidden' : 'sent'
}

/** Ends a broadcast at the platform of a channel, unless the channel disables it (`disable_auto_end`). */
export async function endAtPlatform(services: Services, channelId: number, videoId: string | null): Promise<void> {
  const channel = await findChannelAtPlatform(services.db, channelId)
  const account = channel && (await findAccount(services.db, channel.account_id))
  const end = account && services.platforms[account.platform].end
  if (!account || !end || videoId === null || readSettings(channel.settings)['disable_auto_end'] === true) return
  await withAccount(services, account, (api) => end(api, channel.external_id, videoId))
}

/** A broadcast whose viewers are counted. */
interface Counted extends WatchedBroadcast {
  readonly account: AccountRow
  /** It has just begun: its page is learnt as well, also where the quota of its platform is nearly used up. */
  readonly isNew: boolean
}

/** Calls for viewers at a time. */
const callsAtOnce = 8
/** Accounts that are tried for one call. */
const accountsMax = 3

/**
 * Returns the viewers of broadcasts, in their order, in as few calls as the platforms allow. A broadcast that fails does not affect
 * those of other calls.
 * @returns null where the platform publishes no count, or its quota has no units left for it; a refusal of the platform as an error
 */
export async function askAudiences(
  services: Services,
  broadcasts: readonly Counted[],
): Promise<(Audience | Error | null)[]> {
  const answers = new Map<Counted, Audience | Error>()
  const together: (readonly [AudiencesTogether, readonly Counted[]])[] = []
  const alone: Counted[] = []
  const usable = broadcasts.filter(({ account }) => account.status === 1)
  for (const [platform, own] of Map.groupBy(usable, ({ account }) => account.platform)) {
    const { audience, unitsOf } = services.platforms[platform]
    if (!audience) continue
    const mayCount = !unitsOf || (await mayCountViewers(services, accountKinds[platform].type))
    const { many } = audience
    const known = mayCount && many ? own.filter((one) => many.idOf(one) !== null) : []
    alone.push(...own.filter((one) => !known.includes(one) && (mayCount || one.isNew)))
    if (many) together.push(...inParts(known, many.max).map((part) => [many, part] as const))
  }
  for (const calls of inParts(together, callsAtOnce)) {
    const missing = await Promise.all(calls.map(([many, part]) => askTogether(services, many, part, answers)))
    alone.push(...missing.flat())
  }
  for (const calls of inParts(alone, callsAtOnce))
    await Promise.all(calls.map((broadcast) => askAlone(services, broadcast, answers)))
  return broadcasts.map((broadcast) => answers.get(broadcast) ?? null)
}

const inParts = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size))

async function askAlone(
  services: Services,
  broadcast: Counted,
  answers: Map<Counted, Audience | Error>,
): Promise<void> {
  const { audience } = services.platforms[broadcast.account.platform]
  if (!audience?.one) return
  const { one } = audience
  try {
    answers.set(broadcast, await withAccount(services, broadcast.account, (api) => one(api, broadcast)))
  } catch (error) {
    answers.set(broadcast, error as Error)
  }
}

/** Counts several broadcasts in one call, by the account of one of them. @returns those that the platform does not report */
async function askTogether(
  services: Services,
  many: AudiencesTogether,
  broadcasts: readonly Counted[],
  answers: Map<Counted, Audience | Error>,
): Promise<readonly Counted[]> {
  const ids = [...new Set(broadcasts.flatMap((one) => many.idOf(one) ?? []))]
  const accounts = new Map(broadcasts.map(({ account }) => [account.id, account]))
  let failure: Error | undefined
  for (const account of [...accounts.values()].slice(0, accountsMax)) {
    try {
      const found = await withAccount(services, account, (api) => many.ask(api, ids))
      const reported = broadcasts.map((one) => [one, found.get(many.idOf(one) ?? '')] as const)
      for (const [one, audience] of reported) if (audience) answers.set(one, audience)
      return reported.filter(([, audience]) => !audience).map(([one]) => one)
    } catch (error) {
      failure = error as Error
      // Another account would not be answered either.
      if (failure instanceof ProviderUnavailableError) break
    }
  }
  for (const one of broadcasts) answers.set(one, failure ?? new Error('No account'))
  return []
}
