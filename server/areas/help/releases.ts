// Version of the running release over HTTP.
import { releases } from '#contract/areas/help/releases.ts'
import { implement } from '#server/core/implement.ts'

export const releaseRoutes = implement(releases, {
  current: ({ app }, { config }) => ({ name: app, ...config.release }),
})
