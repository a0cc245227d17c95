// Transcoders that a project's plan allows: a number at the same time, and the largest output.
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { frameOf, type TranscodingAllowance } from '#server/domain/tariffs/add-on-rules.ts'
import { allowanceOf } from '#server/domain/tariffs/allowances.ts'
import { getCurrency } from '#server/domain/money/store.ts'
import { lineOf } from '#server/domain/tariffs/lines.ts'
import type { TranscoderForm, TranscoderRow } from './transcoders-store.ts'

type Output = Pick<TranscoderForm, 'width' | 'height' | 'fps'>
type Limit = 'transcoders' | 'transcoder_resolution' | 'transcoder_fps'

/** Returns the limit that an output exceeds; null: none. A missing value is that of the stream, which plans do not limit. */
export function limitOver({ width, height, fps }: Output, allowed: TranscodingAllowance): Limit | null {
  const frame = frameOf[allowed.resolution]
  // Portrait and landscape streams have the same limit.
  const [long, short] = [Math.max(width ?? 0, height ?? 0), Math.min(width ?? 0, height ?? 0)]
  if (long > frame.width || short > frame.height || (width === null && long > frame.height)) {
    return 'transcoder_resolution'
  }
  return fps !== null && fps > allowed.fps ? 'transcoder_fps' : null
}

/** Returns the active transcoders that may run, oldest first. The others wait for a larger plan. */
export const allowedOf = <R extends Output & Pick<TranscoderRow, 'active'>>(
  rows: readonly R[],
  allowed: TranscodingAllowance,
): R[] => rows.filter((row) => row.active === 1 && limitOver(row, allowed) === null).slice(0, allowed.count)

/**
 * Checks the active transcoders that a project would have.
 * @param count active transcoders after the change
 * @param output the changed one
 * @throws RuleError `PlanLimitReached` with `{limit, value, plan_transcoding_id, plan_title}`: the first plan that allows it,
 * or null. Lock the project before you count.
 */
export async function refuseOverTranscoding(
  services: Pick<Services, 'clock'>,
  db: Db | Trx,
  projectId: number,
  { count, output }: { readonly count: number; readonly output: Output },
): Promise<void> {
  const allowed = await allowanceOf(services, db, projectId, 'transcoding')
  const limit = count > allowed.count ? 'transcoders' : limitOver(output, allowed)
  if (limit === null) return
  const value = { transcoders: allowed.count, transcoder_resolution: allowed.resolution, transcoder_fps: allowed.fps }[
    limit
  ]
  const line = lineOf('transcoding')
  const currency = await getCurrency(db, projectId)
  const plans = await line.plans(db, projectId)
  const better = plans.find((plan) => {
    const result = line.configure(plan, { count: Math.max(count, 1) }, allowed)
    if (!plan.active || plan.type === 'free' || !('setting' in result)) return false
    return line.monthly(plan, result.setting, currency) !== null && limitOver(output, result.setting) === null
  })
  const data = { limit, value, plan_transcoding_id: better?.id ?? null, plan_title: better?.title ?? null }
  throw new RuleError(`PlanLimitReached_${limit}`, data)
}
