// Titles of channels at their platforms, set when a run of a schedule has the air. A failure is an event and a state of its channel;
// the others go (decision 0116).
import type { TitleReason } from '#contract/entities/schedule.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Job, JobKind } from '#server/core/jobs.ts'
import { ProviderUnauthorizedError } from '#server/core/platform-api.ts'
import { ProviderRefusedError, ProviderUnavailableError } from '#server/core/provider-http.ts'
import { FencedError, type Outcome, scheduleJob, scheduleJobs } from '#server/db/jobs.ts'
import type { Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { describeAtPlatform } from '#server/domain/platforms/account-broadcasts.ts'
import { recordChannelEvent } from './events.ts'
import { type DestinationFacts, isAtAir } from './live-facts.ts'
import { findPlanned } from './planned-store.ts'
import { playOf } from './plays.ts'
import { findRun, type RunRow } from './runs-store.ts'
import { type BroadcastRow, findOnAir, listRestreams } from './store.ts'
import { findWaitingTitle, listTitles, type TitleRow, updateTitle } from './titles-store.ts'

const titleKind = { kind: 'broadcasts.title' } as const
/** Time between looks for a broadcast that the platform does not show yet, milliseconds. */
const lookMs = 15_000
/** Time for which a platform may not show a channel that is live, milliseconds. */
const patienceMs = 300_000
/** Runs in a row that fail. */
const attemptsMax = 8

/** Sets the titles of the run that has the air. */
export async function scheduleTitles(trx: Trx, onAir: Pick<BroadcastRow, 'play'>): Promise<void> {
  const run = playOf(onAir)?.run
  if (run === undefined) return
  const waiting = (await listTitles(trx, [run])).filter(({ state }) => state === 'waiting')
  await scheduleJobs(
    trx,
    waiting.map(({ channel_id }) => ({ ...titleKind, key: `${run}:${channel_id}` })),
  )
}

/** Sets the title of a channel that has become live, where a run has the air. */
export async function scheduleTitle(
  trx: Trx,
  onAir: Pick<BroadcastRow, 'play'>,
  { id, state }: Pick<DestinationFacts, 'id' | 'state'>,
): Promise<void> {
  const run = playOf(onAir)?.run
  if (run === undefined || state !== 'live') return
  if (await findWaitingTitle(trx, { runId: run, channelId: id })) await scheduleJob(trx, titleKind, `${run}:${id}`)
}

/**
 * Sets the title of a channel. The key is the run and the channel. A channel that is not live yet gets its title when it is.
 * @param changed called when pages show something else of the schedules of a project
 */
export const createTitleJob = (changed: (services: Services, projectId: number) => void): JobKind => ({
  ...titleKind,
  leaseMs: 60_000,
  atOnce: 8,
  backoff: { firstMs: 15_000, mostMs: 60_000 },
  parkAfter: 'never',
  async run(services, job) {
    const { db, clock } = services
    const [runId = 0, channelId = 0] = job.key.split(':').map(Number)
    const run = await findRun(db, runId)
    const title = await findWaitingTitle(db, { runId, channelId })
    if (!run || !title || run.date_over !== null) return 'done'
    const onAir = await findOnAir(db, run.project_id)
    if (!onAir || playOf(onAir)?.run !== runId) return 'done'
    const restream = (await listRestreams(db, [onAir.id])).find((one) => one.channel_id === channelId)
    if (!restream || !isAtAir(restream)) return 'done'
    const outcome = await set(services, job, { run, title, onAir })
    if (outcome !== 'hidden') {
      changed(services, run.project_id)
      return outcome
    }
    const since = Math.max(Date.parse(restream.date_live ?? ''), Date.parse(run.date_admit ?? '')) || 0
    if (clock.now().getTime() - since < patienceMs) return { againMs: lookMs }
    return await fail(services, job, { run, title, onAir }, 'hidden')
  },
})

interface Setting {
  readonly run: RunRow
  readonly title: TitleRow
  readonly onAir: BroadcastRow
}

async function set(services: Services, job: Job, setting: Setting): Promise<Outcome | 'hidden'> {
  const { db } = services
  const { run, title } = setting
  try {
    const planned =
      run.schedule_id === null
        ? undefined
        : await findPlanned(db, { ownerId: run.schedule_id, channelId: title.channel_id })
    // It was made with its title.
    const isPlanned = planned?.start_at === run.date_occurrence && planned.state === 'bound'
    const outcome = isPlanned ? 'sent' : await describeAtPlatform(services, title.channel_id, { title: title.title })
    if (outcome === 'hidden') return 'hidden'
    if (outcome !== 'sent') return await fail(services, job, setting, outcome)
  } catch (error) {
    const isPassing = !(error instanceof RuleError) || error instanceof ProviderUnavailableError
    if (error instanceof FencedError || (isPassing && job.attempts < attemptsMax)) throw error
    if (!(error instanceof RuleError)) services.log.error({ err: error }, 'Setting a title failed')
    const words = error instanceof ProviderRefusedError && error.reason !== '' ? error.reason : null
    return await fail(services, job, setting, reasonOf(error), words)
  }
  await transaction(db, async (trx) => {
    await job.finish(trx, 'done')
    await updateTitle(trx, title, { state: 'set', reason: null, words: null })
  })
  return 'done'
}

function reasonOf(error: unknown): TitleReason {
  if (error instanceof ProviderUnauthorizedError) return 'account'
  return error instanceof ProviderRefusedError ? 'platform-refused' : 'timeout'
}

async function fail(
  { db, clock }: Services,
  job: Job,
  { title, onAir }: Setting,
  reason: TitleReason,
  words: string | null = null,
): Promise<Outcome> {
  await transaction(db, async (trx) => {
    await job.finish(trx, 'done')
    if (!(await updateTitle(trx, title, { state: 'failed', reason, words }))) return
    const event = { level: 'warning', kind: 'title-failed', channel_id: title.channel_id, words } as const
    // Events of connections have other texts for the same reasons.
    await recordChannelEvent(trx, onAir.id, iso(clock.now()), { ...event, reason: `title-${reason}` })
  })
  return 'done'
}
