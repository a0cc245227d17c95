// Caches of the installation's settings and plans: a change on one replica drops them on all.
import type { InstallationCaches } from '#server/core/context.ts'
import type { Db } from '#server/db/open.ts'
import { forgetInstallation } from '#server/domain/installation/installation.ts'
import { forgetPlans } from '#server/domain/tariffs/store.ts'
import type { Replicas } from '#server/db/replicas.ts'

export function createInstallationCaches(db: Db, replicas: Replicas): InstallationCaches {
  const topic = replicas.topic<null>('installation')
  const forget = () => {
    forgetInstallation(db)
    forgetPlans(db)
  }
  topic.onMessage(forget)
  // Messages sent while the connection was down are lost.
  replicas.onConnection((isConnected) => isConnected && forget())
  return {
    drop() {
      // The message returns later than the next call.
      forget()
      topic.publish(null)
    },
  }
}
