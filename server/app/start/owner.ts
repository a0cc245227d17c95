// Commands run as the owner of the data folder, so that root leaves no files there that the service cannot write.
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '#server/core/settings.ts'

/**
 * Makes this process that of the owner of DATA_DIR, where root runs it. Where the folder is missing, the owner of its parent is
 * the one who will use it.
 */
export function becomeOwner({ dataDir }: Pick<Config, 'dataDir'>): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(existingOf(dataDir))
  if (uid === 0) return
  process.umask(0o077)
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
}

const existingOf = (folder: string): string => (existsSync(folder) ? folder : existingOf(dirname(folder)))
