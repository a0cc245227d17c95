// Caches of the installation's settings and plans: a change of their tables drops them on all replicas.
import type { InstallationCaches } from '#server/core/context.ts'
import { marksChannel } from '#server/db/marks.ts'
import type { Database } from '#server/db/open.ts'
import { forgetInstallation } from '#server/domain/installation/installation.ts'
import { forgetPlans } from '#server/domain/tariffs/store.ts'

export function createInstallationCaches({ db, signals }: Pick<Database, 'db' | 'signals'>): InstallationCaches {
  const drop = () => {
    forgetInstallation(db)
    forgetPlans(db)
  }
  signals.subscribe(marksChannel, (payload) => payload.startsWith('0 ') && drop())
  // Signals sent while the connection was down are lost.
  signals.onConnection((isConnected) => isConnected && drop())
  // The signal arrives later than the next call.
  return { drop }
}
