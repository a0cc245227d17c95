// Disks of a cluster: small file systems in memory, inside the mount namespace of the test, which a fault fills.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A disk with the files of one program. */
export interface Disk {
  readonly folder: string
  /** Fills it to the last byte. */
  fill(): void
  /** Makes the room again. */
  free(): void
  /** Removes it with its files. */
  remove(): void
}

const chunk = Buffer.alloc(1024 * 1024)

/** Mounts an empty disk on a folder. */
export function makeDisk(folder: string, megabytes: number): Disk {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'none', folder])
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      const file = openSync(filler, 'w')
      try {
        // The last write is a short one; the next one fails.
        for (;;) writeSync(file, chunk)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove: () => void execFileSync('umount', ['--lazy', folder]),
  }
}
