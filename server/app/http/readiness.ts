// Readiness: the database accepts a write.
import { access, constants } from 'node:fs/promises'
import type { Logger } from 'pino'
import { faultOf } from '#server/db/faults.ts'
import type { Database } from '#server/db/open.ts'

/** Callers within this time share one probe: `/readyz` is open to everybody, and a probe writes. */
const sharedMs = 1_000

/**
 * Makes the probe of `/readyz`. Logs when the database stops taking writes, and when it takes them again.
 * @param files data folder and database file, which have to exist: an open file takes writes after it was removed
 */
export function createReadiness(
  { probe }: Pick<Database, 'probe'>,
  files: readonly string[],
  log: Logger,
): () => Promise<void> {
  let last: { readonly at: number; readonly outcome: Promise<void> } | null = null
  let isWell = true

  async function look(): Promise<void> {
    try {
      await Promise.all(files.map((file) => access(file, constants.R_OK | constants.W_OK)))
      await probe()
      if (!isWell) log.info('DATA_DIR and the database take writes again')
      isWell = true
    } catch (error) {
      if (isWell) log.error({ err: error }, reasonOf(error))
      isWell = false
      throw error
    }
  }

  return () => {
    const now = performance.now()
    if (last === null || now - last.at > sharedMs) last = { at: now, outcome: look() }
    return last.outcome
  }
}

function reasonOf(error: unknown): string {
  if (faultOf(error) === 'full') return 'The disk is full'
  const isMissing = (error as NodeJS.ErrnoException).syscall === 'access'
  return isMissing ? 'DATA_DIR or the database in it is missing or cannot be written' : 'The database takes no write'
}
