// Releases of a machine: folders, the link to the release in use, and the lock of their changes.
import { mkdirSync, readdirSync, readlinkSync } from 'node:fs'
import { rename, rm, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { lockFile } from '#server/core/lock-file.ts'
import { compareVersions, factsOf, type ReleaseFacts } from '#server/app/ops/release.ts'
import { UpgradeError } from './upgrade-error.ts'

/** Places of the releases of a machine. */
export interface Place {
  /** Contains a folder for each release. */
  readonly releases: string
  /** Link to the release in use. */
  readonly current: string
  /** Unpacked archive until it is verified. */
  readonly incoming: string
  /** Archives from RELEASES_URL, while an upgrade runs. */
  readonly downloads: string
  /** State of the last upgrade or rollback. */
  readonly journal: string
  readonly lock: string
}

/** Returns the places below the folder of an installation. */
export const placeIn = (opt: string): Place => ({
  releases: join(opt, 'releases'),
  current: join(opt, 'current'),
  incoming: join(opt, 'releases', '.incoming'),
  downloads: join(opt, 'releases', '.downloads'),
  journal: join(opt, 'upgrade.json'),
  lock: join(opt, '.upgrade.lock'),
})

/** Returns the folder of a release. */
export const folderOf = ({ releases }: Place, version: string): string => join(releases, version)

/** Returns the version in use. @throws UpgradeError on a machine without an installation */
export function currentVersion({ current }: Place): string {
  try {
    return basename(readlinkSync(current))
  } catch {
    throw new UpgradeError(`${current} does not lead to a release. Run once: relaydeck install`)
  }
}

/** Returns the facts of all complete releases, newest first. */
export function listReleases({ releases }: Place): readonly ReleaseFacts[] {
  const names = readdirSync(releases).filter((name) => /^\d/.test(name))
  const all = names.flatMap((name) => {
    try {
      return [factsOf(join(releases, name))]
    } catch {
      return []
    }
  })
  return all.toSorted((a, b) => compareVersions(b.version, a.version))
}

/** Points the link at a release, by a rename: there is a release in use at each moment. */
export async function pointTo(place: Place, version: string): Promise<void> {
  const next = `${place.current}.next`
  await rm(next, { force: true })
  await symlink(join('releases', version), next)
  await rename(next, place.current)
}

/**
 * Locks the releases until this process ends.
 * @returns releases the lock
 * @throws UpgradeError while another process changes them
 */
export function lockPlace({ lock, releases }: Place): () => void {
  mkdirSync(releases, { recursive: true, mode: 0o755 })
  const unlock = lockFile(lock, 0)
  if (unlock) return unlock
  throw new UpgradeError('Another upgrade or rollback runs on this machine. Wait until it has ended')
}
