// Daily backup and weekly drill, once for each installation.
import { dayMs, hourMs, iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { JobKind } from '#server/core/jobs.ts'
import type { Config } from '#server/core/settings.ts'
import { hasUsers } from '#server/domain/account/store.ts'
import { updateInstallation } from '#server/domain/installation/store.ts'

const rare = {
  atOnce: 1,
  backoff: { firstMs: hourMs, mostMs: dayMs },
  parkAfter: 'never',
  leaseMs: 4 * hourMs,
} as const

/** Returns the kinds of a service that makes its own backups: on SQLite unless they are off, on PostgreSQL where they are on. */
export function backupKindsOf(config: Config): readonly JobKind[] {
  const { backups, databaseUrl } = config
  if (backups === 'off' || (backups === 'auto' && databaseUrl !== '')) return []
  return [
    {
      ...rare,
      kind: 'installation.daily-backup',
      everyMs: dayMs,
      async run({ db }: Services) {
        // A service without an account has nothing to lose.
        if (!(await hasUsers(db))) return { againMs: hourMs }
        const { makeBackup } = await import('#server/app/ops/backup.ts')
        await makeBackup(config, db)
        return 'done'
      },
    },
    {
      ...rare,
      kind: 'installation.drill',
      everyMs: 7 * dayMs,
      async run({ db, clock }: Services) {
        const { newestBackup } = await import('#server/app/ops/commands.ts')
        const file = await newestBackup(config)
        if (file === null) return { againMs: hourMs }
        const { drillBackup } = await import('#server/app/ops/drill.ts')
        await drillBackup(config, file)
        await updateInstallation(db, { date_drill: iso(clock.now()) })
        return 'done'
      },
    },
  ]
}
