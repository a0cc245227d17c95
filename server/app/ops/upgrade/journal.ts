// Journal of upgrades: tells a repeated command where a killed one was, and rollback where to go.
import { readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import * as z from 'zod/mini'
import type { Place } from './place.ts'
import { UpgradeError } from './upgrade-error.ts'

const Journal = z.object({
  from: z.string(),
  to: z.string(),
  /**
   * `switching`: from before the link changes until the release works. `reverting`: it did not become ready. `done` and
   * `reverted` are ends.
   */
  state: z.enum(['switching', 'reverting', 'done', 'reverted']),
  /** The release needs a schema that the previous one refuses: going back takes the backup. */
  raises: z.boolean(),
  /** Rollback: no release to go back to when it does not become ready. */
  isRollback: z.boolean(),
  /** Backups by the version that made them, before it was replaced. */
  backups: z.record(z.string(), z.string()),
})
export type Journal = z.output<typeof Journal>

/** Returns the journal; null before the first upgrade. @throws UpgradeError when it was changed by hand */
export function readJournal({ journal }: Place): Journal | null {
  let text: string
  try {
    text = readFileSync(journal, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    return Journal.parse(JSON.parse(text))
  } catch (error) {
    throw new UpgradeError(`${journal} is not a journal of upgrades. Remove it, then repeat the command`, {
      cause: error,
    })
  }
}

/** Writes the journal. A kill leaves the old or the new one. */
export async function writeJournal({ journal }: Place, content: Journal): Promise<void> {
  const next = `${journal}.next`
  const file = await open(next, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(content, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, journal)
}
