// Selects the tests that depend on the database; `npm test` runs them on PostgreSQL as well.
import { globSync } from 'node:fs'

const folders = ['server/db', 'server/domain', 'server/areas', 'server/delivery', 'server/app/telegram']
/** Tests of the composed service with several replicas, with jobs, or with every operation. */
const ofTheApp = [
  'chat-flood',
  'chat-invariants',
  'conformance',
  'films',
  'fuzz',
  'jobs',
  'oauth',
  'oauth-attacks',
  'oauth-between',
  'oauth-hostile',
  'oauth-replicas',
  'one-owner',
  'outside-transactions',
  'owners',
  'passkeys',
  'published-answers',
  'realtime-gate',
  'repeated-events',
  'replicas',
  'second-step',
  'upload-attacks',
  'uploads',
]

/** Tests of processes that wait for real leases; only at night. */
const ofTheNight = ['server/app/start/*.night.test.ts']

/** Files for Vitest. @throws when a folder or a name has none */
export function databaseTests({ isNight = false } = {}): string[] {
  const patterns = [
    ...(isNight ? ofTheNight : []),
    ...folders.map((folder) => `${folder}/**/*.test.ts`),
    ...ofTheApp.map((name) => `server/app/**/${name}.test.ts`),
  ]
  return patterns.flatMap((pattern) => {
    const files = globSync(pattern)
    if (files.length === 0) throw new Error(`No test matches ${pattern}`)
    return files.toSorted()
  })
}
