// Hold of the service: its unit waits before each start until no upgrade holds it, and no restore uses the data folder.
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { lockFile } from '#server/core/lock-file.ts'
import { UpgradeError } from './upgrade-error.ts'

const holdFile = (dataDir: string): string => join(dataDir, 'upgrade.lock')
/** A service that is about to start looks at the lock for a moment. */
const takeMs = 10_000
const lookMs = 200

/** Takes the hold. @returns releases it; so does the end of this process */
export async function holdService(dataDir: string): Promise<() => void> {
  const file = holdFile(dataDir)
  await createFor(file)
  const release = lockFile(file, takeMs)
  if (!release) throw new UpgradeError(`${file} is locked by another process`)
  return release
}

/** Creates the file for the owner of its folder. Follows no link: the service can write to the folder, and root runs this. */
async function createFor(file: string): Promise<void> {
  const flags = constants.O_CREAT | constants.O_RDWR | constants.O_NOFOLLOW
  const handle = await open(file, flags, 0o600)
  try {
    const { uid, gid } = await stat(dirname(file))
    if (process.getuid?.() === 0) await handle.chown(uid, gid)
  } finally {
    await handle.close()
  }
}

/** Waits until the service may start. */
export async function awaitRelease(dataDir: string): Promise<void> {
  for (const name of [holdFile(dataDir), join(dataDir, 'service.lock')]) {
    const isThere = async () => (await stat(name).catch(() => null)) !== null
    while (await isThere()) {
      const unlock = lockFile(name, 0)
      unlock?.()
      if (unlock) break
      await wait(lookMs)
    }
  }
}
