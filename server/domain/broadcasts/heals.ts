// Healing: a new broadcast at the platform when it shows the old one no longer although the channel is live. A job makes it, at
// most once for each broadcast of ours, in steps that a run of another replica continues (decision 0100).
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Job, JobKind } from '#server/core/jobs.ts'
import type { EndedBroadcast, Healing } from '#server/core/platform-adapter.ts'
import { type ProviderApi, ProviderUnauthorizedError } from '#server/core/platform-api.ts'
import { ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import { FencedError, type Outcome } from '#server/db/jobs.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { unsealSecret } from '#server/domain/channels/secrets.ts'
import { readSettings } from '#server/domain/channels/stream-info.ts'
import { notify } from '#server/domain/notifications/notify.ts'
import { withAccount } from '#server/domain/platforms/accounts.ts'
import { type AccountRow, findAccount } from '#server/domain/platforms/accounts-store.ts'
import { insertEvent } from './events-store.ts'
import {
  claimHeal,
  findClaimMs,
  findHeal,
  findHealable,
  type HealableRow,
  type HealKey,
  healKind,
  type HealRow,
  insertHeal,
  listOpenHeals,
  updateHeal,
  upsertFailedHeal,
} from './heals-store.ts'
import { claimMs, findMarked, hasUnits, insertMarked, type Making, NotMineError } from './made-once.ts'
import { factsOf } from './records.ts'
import { isDark, seenOf } from './sightings.ts'
import { updateRestreamUrl } from './store.ts'

/** Time that the channel has been live before a new broadcast is made, milliseconds. */
const liveMs = 60_000
/** Time in which a broadcast begins with its stream, before the service begins it, milliseconds. */
const startMs = 20_000
/** Time between runs while the encoder is away or paused, milliseconds. */
const awayMs = 30_000
/** Time between a request and the scheduled start, which has to be in the future, milliseconds. */
const aheadMs = 300_000
/** Least time until the scheduled start of a repeated request, milliseconds. */
const aheadMinMs = 60_000
/** Runs in a row that fail. */
const attemptsMax = 8
/** Settings of a channel that the new broadcast takes from the old one. */
const kept: ReadonlySet<string> = new Set(['privacy_video', 'audience'])

/** One run of the job. */
interface Run {
  readonly services: Services
  readonly job: Job
  readonly key: HealKey
  readonly row: HealableRow
  readonly account: AccountRow
  readonly healing: Healing
  readonly streamKey: string
}

/** Makes a new broadcast for a channel in a broadcast. A sighting schedules it. */
export const healJob: JobKind = {
  ...healKind,
  leaseMs: 120_000,
  atOnce: 4,
  backoff: { firstMs: claimMs, mostMs: 300_000 },
  parkAfter: 'never',
  missing: async (db) => (await listOpenHeals(db)).map(({ broadcastId, channelId }) => `${broadcastId}:${channelId}`),
  async run(services, job) {
    const run = await runOf(services, job)
    if (!run) return 'done'
    try {
      return await advance(run)
    } catch (error) {
      if (error instanceof NotMineError) return 'done'
      const isFinal = error instanceof RuleError && !(error instanceof ProviderUnavailableError)
      if (error instanceof FencedError || (!isFinal && job.attempts < attemptsMax)) throw error
      return await fail(run, error)
    }
  },
}

async function runOf(services: Services, job: Job): Promise<Run | null> {
  const { db, platforms } = services
  const [broadcastId = 0, channelId = 0] = job.key.split(':').map(Number)
  const key = { broadcastId, channelId }
  const row = await findHealable(db, key)
  const account = row && (await findAccount(db, row.account_id))
  const healing = account && platforms[account.platform].healing
  const streamKey = row && unsealSecret(services, row.secret_sealed)?.key
  return row && account && healing && streamKey ? { services, job, key, row, account, healing, streamKey } : null
}

/** Does the next steps of a new broadcast. */
async function advance(run: Run): Promise<Outcome> {
  const { services, key, row } = run
  const { db, clock } = services
  const known = await findHeal(db, key)
  if (known?.state === 'done' || known?.state === 'failed') return 'done'
  const facts = factsOf(row)
  const isLive = (facts.state === 'live' || facts.state === 'degraded') && row.date_live !== null
  const isSent = isLive && row.status === 'active' && row.date_pause === null
  if (!isSent) return known ? { againMs: awayMs } : 'done'
  if (!known) {
    if (!isDark(seenOf(row))) return 'done'
    const since = Math.max(Date.parse(row.date_live ?? ''), facts.state === 'live' ? facts.since : 0)
    const waitMs = since + liveMs - clock.now().getTime()
    return waitMs > 0 ? { againMs: waitMs } : await begin(run)
  }
  const mine = await claimHeal(db, key, claimMs)
  if (!mine) return { againMs: await findClaimMs(db, key) }
  if (mine.state === 'inserting') return await repeat(run, mine)
  return mine.state === 'inserted' ? await bind(run, mine) : await settle(run, mine)
}

/** Calls the platform, if this run still has the job. */
async function ask<T>({ services, job, account }: Run, call: (api: ProviderApi) => Promise<T>): Promise<T> {
  await job.renew()
  return await withAccount(services, account, call)
}

const findEnded = (run: Run): Promise<EndedBroadcast | null> =>
  ask(run, (api) => run.healing.findEnded(api, { key: run.streamKey, page: run.row.url }))

/** Returns the mark of a request that is sent now. YouTube keeps whole seconds. */
const markOf = ({ services: { clock } }: Run, { title }: EndedBroadcast) => {
  const at = Math.ceil(later(clock.now(), aheadMs).getTime() / 1000) * 1000
  return { title, start_at: iso(new Date(at)) }
}

/** Begins where no broadcast was made yet. */
async function begin(run: Run): Promise<Outcome> {
  const { services, job, key, account } = run
  if (account.status !== 1 || !(await hasUnits(services, account))) return 'done'
  const ended = await findEnded(run)
  if (!ended) return 'done'
  const mine = await transaction(services.db, async (trx) => {
    await job.fence(trx)
    return await insertHeal(trx, key, markOf(run, ended), claimMs)
  })
  return mine ? await insert(run, mine, ended) : { againMs: claimMs }
}

/** Continues after a request whose outcome is unknown: the broadcast may exist. */
async function repeat(run: Run, mine: HealRow): Promise<Outcome> {
  const { services, job, account, healing } = run
  const made = await findMarked(makingOf(run), mine, healing)
  if (made) return await bind(run, made)
  if (!(await hasUnits(services, account))) return 'done'
  const ended = await findEnded(run)
  if (!ended) return 'done'
  const isLate = Date.parse(mine.start_at) - services.clock.now().getTime() < aheadMinMs
  const next = await transaction(services.db, async (trx) => {
    await job.fence(trx)
    return await updateHeal(trx, mine, isLate ? markOf(run, ended) : {}, claimMs)
  })
  if (!next) throw new NotMineError()
  return await insert(run, next, ended)
}

const makingOf = (run: Run): Making<HealRow> => ({
  ask: (call) => ask(run, call),
  claimAnew: (mine) => claimAnew(run, mine),
  recordMade: (mine, id) => recordMade(run, mine, id),
})

const insert = async (run: Run, mine: HealRow, ended: EndedBroadcast): Promise<Outcome> =>
  await bind(run, await insertMarked(makingOf(run), mine, (api, mark) => run.healing.insert(api, ended, mark)))

/** Claims the row again, if the broadcast is still wanted. @throws NotMineError */
const claimAnew = ({ services, job, key }: Run, mine: HealRow): Promise<HealRow> =>
  transaction(services.db, async (trx) => {
    await job.fence(trx)
    const claimed = (await findHealable(trx, key)) && (await claimHeal(trx, key, claimMs, mine.claim_until))
    if (!claimed) throw new NotMineError()
    return claimed
  })

/** Stores the id of a broadcast that exists, and its page. @throws NotMineError when another run looks for it */
const recordMade = ({ services, key, healing }: Run, mine: HealRow, id: string): Promise<HealRow> =>
  transaction(services.db, async (trx) => {
    const row = await updateHeal(trx, mine, { state: 'inserted', video_id: id })
    if (!row) throw new NotMineError()
    await updateRestreamUrl(trx, key, healing.pageOf(id))
    return row
  })

async function bind(run: Run, mine: HealRow): Promise<Outcome> {
  const { services, job, healing, streamKey } = run
  const claim = await claimAnew(run, mine)
  const isBound = await ask(run, (api) => healing.bind(api, claim.video_id ?? '', streamKey))
  if (!isBound) return await fail(run)
  const outcome = { againMs: startMs }
  await transaction(services.db, async (trx) => {
    await updateHeal(trx, claim, { state: 'bound' }, startMs)
    await job.finish(trx, outcome)
  })
  return outcome
}

/** Ends with a broadcast that the platform shows. One that did not begin with its stream is begun. */
async function settle(run: Run, mine: HealRow): Promise<Outcome> {
  const { services, job, key, row, account, healing } = run
  const id = mine.video_id ?? ''
  const state = await ask(run, (api) => healing.stateOf(api, id))
  if (state === 'gone') return await fail(run)
  const claim = await claimAnew(run, mine)
  if (state === 'waiting') await start(run, id)
  const { describe } = services.platforms[account.platform]
  const settings = Object.entries(readSettings(row.settings)).filter(([name]) => !kept.has(name))
  if (describe && settings.length > 0)
    await ask(run, (api) => describe(api, row.external_id, Object.fromEntries(settings), id)).catch(
      (error: unknown) => {
        if (error instanceof FencedError) throw error
        services.log.info({ err: error, channel: key.channelId }, 'Sending stream settings to a platform failed')
      },
    )
  const page = healing.pageOf(id)
  await transaction(services.db, async (trx) => {
    await job.finish(trx, 'done')
    if (await updateHeal(trx, claim, { state: 'done' })) await recordHealed(run, trx, page)
  })
  return 'done'
}

/** Begins a broadcast. One that has begun meanwhile is no failure. */
async function start(run: Run, id: string): Promise<void> {
  const { healing } = run
  try {
    await ask(run, (api) => healing.start(api, id))
  } catch (error) {
    if (!(error instanceof ProviderRefusedError)) throw error
    if ((await ask(run, (api) => healing.stateOf(api, id))) !== 'shown') throw error
  }
}

async function recordHealed({ services, key, row }: Run, trx: Trx, page: string): Promise<void> {
  const { broadcastId, channelId } = key
  const event = { level: 'info', kind: 'platform-healed', channel_id: channelId, words: page } as const
  await insertEvent(trx, broadcastId, iso(services.clock.now()), event)
  await notify(services, trx, {
    kind: 'channel_api_create_broadcast_success',
    projectId: row.project_id,
    ref: `${broadcastId}.${channelId}`,
    params: { broadcast_id: broadcastId, channel: row.name, page },
  })
}

/** Gives up for this broadcast of ours. @param error left out: the platform has the new broadcast no longer */
async function fail({ services, job, key, row }: Run, error?: unknown): Promise<Outcome> {
  const { db, clock } = services
  const { broadcastId, channelId } = key
  const words = (error instanceof ProviderRefusedError && error.reason) || null
  if (error !== undefined && !(error instanceof RuleError)) services.log.error({ err: error }, 'Healing failed')
  const reason = reasonOf(error)
  const at = iso(clock.now())
  await transaction(db, async (trx) => {
    await job.finish(trx, 'done')
    if (!(await upsertFailedHeal(trx, key, at))) return
    const event = { level: 'error', kind: 'platform-heal-failed', channel_id: channelId, reason, words } as const
    await insertEvent(trx, broadcastId, at, event)
    await notify(services, trx, {
      kind: 'channel_api_create_broadcast_error',
      projectId: row.project_id,
      ref: `${broadcastId}.${channelId}`,
      params: { broadcast_id: broadcastId, channel: row.name, reason, words },
    })
  })
  return 'done'
}

/** Returns the code of a reason that events of broadcasts have a text for. */
function reasonOf(error: unknown): 'account' | 'platform-refused' | 'timeout' {
  if (error instanceof ProviderUnauthorizedError) return 'account'
  return error === undefined || error instanceof ProviderRefusedError ? 'platform-refused' : 'timeout'
}
