// Platforms over HTTP: where streams can go, and the accounts there.
import { platforms } from '#contract/areas/channels/platforms.ts'
import { implement } from '#server/core/implement.ts'
import { listPlatforms } from '#server/domain/platform-table.ts'

export const platformRoutes = implement(platforms, {
  list: () => ({ results: listPlatforms().map((platform) => ({ ...platform, oauth_ready: 0 as const })) }),
})
