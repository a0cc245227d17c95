// Applies what a project has in a product line after a plan has ended. Removes nothing.
import type { LineName } from '#contract/entities/plan.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { fitChannels } from '#server/domain/channels/fit.ts'
import { recordHistory } from '#server/domain/projects/history.ts'
import { lockProject } from '#server/domain/tariffs/store.ts'
import { allowedOf } from './transcoder-limits.ts'
import { listTranscoders, updateTranscoder } from './transcoders-store.ts'
import { readState } from '#server/domain/tariffs/subscriptions.ts'

type Fit = (services: Pick<Services, 'clock'>, trx: Trx, projectId: number) => Promise<void>

const fits: Readonly<Record<LineName, Fit>> = {
  restream: async (services, trx, projectId) =>
    fitChannels(services, trx, projectId, (await readState(trx, services.clock, projectId, 'restream')).slots.current),
  transcoding: async (services, trx, projectId) => {
    await lockProject(trx, projectId)
    const rows = await listTranscoders(trx, projectId)
    const { current } = (await readState(trx, services.clock, projectId, 'transcoding')).slots
    const allowed = allowedOf(rows, current)
    for (const { id, name } of rows.filter((row) => row.active === 1 && !allowed.includes(row))) {
      await updateTranscoder(trx, id, { active: 0 })
      const details = { name, reason: 'plan_ended' }
      await recordHistory(services, trx, { projectId, userId: null, action: 'transcoder_stopped', details })
    }
  },
  // Recording stops by itself when the space is used. Files stay.
  storage: async () => undefined,
}

/** Switches off what the running plan of a line does not allow. */
export const fitLine = (
  services: Pick<Services, 'clock'>,
  trx: Trx,
  projectId: number,
  line: LineName,
): Promise<void> => fits[line](services, trx, projectId)
