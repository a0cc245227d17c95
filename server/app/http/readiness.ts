// Readiness: the database accepts a write.
import type { Logger } from 'pino'
import { faultOf } from '#server/db/faults.ts'
import type { Database } from '#server/db/open.ts'

/** Callers within this time share one probe: `/readyz` is open to everybody, and a probe writes. */
const sharedMs = 1_000

/** Makes the probe of `/readyz`. Logs when the database stops taking writes, and when it takes them again. */
export function createReadiness({ probe }: Pick<Database, 'probe'>, log: Logger): () => Promise<void> {
  let last: { readonly at: number; readonly outcome: Promise<void> } | null = null
  let isWell = true

  async function look(): Promise<void> {
    try {
      await probe()
      if (!isWell) log.info('The database takes writes again')
      isWell = true
    } catch (error) {
      if (isWell)
        log.error({ err: error }, faultOf(error) === 'full' ? 'The disk is full' : 'The database takes no write')
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
