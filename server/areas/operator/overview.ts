// Overview of the installation over HTTP.
import { overview } from '#contract/areas/operator/overview.ts'
import { implement } from '#server/core/implement.ts'
import { getOverview } from '#server/domain/operator/overview.ts'

export const overviewRoutes = implement(overview, { get: (_, ctx) => getOverview(ctx) })
