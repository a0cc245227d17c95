// Applies what a project has in a product line after a plan has ended. Removes nothing.
import type { LineName } from '#contract/entities/plan.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { fitChannels } from '#server/domain/channels/fit.ts'
import { readState } from '#server/domain/tariffs/subscriptions.ts'

type Fit = (services: Pick<Services, 'clock'>, trx: Trx, projectId: number) => Promise<void>

const fits: Readonly<Record<LineName, Fit>> = {
  restream: async (services, trx, projectId) =>
    fitChannels(services, trx, projectId, (await readState(trx, services.clock, projectId, 'restream')).slots.current),
  transcoding: async () => undefined,
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
