// Steps 5 to 8, which upgrade and rollback share: units and link, restart, relays, old releases.
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { runTool } from '#server/db/dump.ts'
import { mustRun } from './child.ts'
import { type Journal, readJournal, writeJournal } from './journal.ts'
import type { Machine } from './machine.ts'
import { currentVersion, folderOf, listReleases, type Place, pointTo } from './place.ts'
import { UpgradeError, whenDiskIsFull } from './upgrade-error.ts'

/** What an upgrade works with. */
export interface Work {
  readonly place: Place
  readonly machine: Machine
  readonly say: (line: string) => void
  /** Longest wait for a service, and for a relay, milliseconds. */
  readonly readyMs?: number
  readonly relayMs?: number
}

const usualReadyMs = 120_000
const usualRelayMs = 60_000
const pollMs = 500
const keptReleases = 3

/** Steps by number, as the terminal shows them. */
const steps = [
  'Verify the signature',
  'Unpack',
  'Check settings, migrations and disks with the new release',
  'Back up',
  'Write units, change the link',
  'Restart the service',
  'Replace the relay',
  'Remove old releases',
] as const

/** Prints the beginning of a step. */
export const sayStep = ({ say }: Pick<Work, 'say'>, step: number): void =>
  say(`${step}/${steps.length} ${steps[step - 1]}`)

/**
 * Step 5. After a failure the units and the link are those of before.
 * @throws UpgradeError
 */
export async function changeLink(work: Work, journal: Journal): Promise<void> {
  const { place, machine, say } = work
  sayStep(work, 5)
  const before = currentVersion(place)
  try {
    await writeJournal(place, journal)
    for (const sentence of await machine.writeUnits(journal.to)) say(sentence)
    // A power cut after the rename finds the files of the release.
    await runTool('sync', ['-f', place.releases])
    await pointTo(place, journal.to)
  } catch (error) {
    await machine.writeUnits(before).catch(() => undefined)
    whenDiskIsFull(place.releases, `${before} stays in use`)(error)
  }
}

/** Waits until the service of a release is ready. @returns false when it failed, or is not ready in time */
export async function becomesReady({ machine, readyMs = usualReadyMs }: Work, version: string): Promise<boolean> {
  // The clock of the machine may be set while this waits.
  for (const since = performance.now(); performance.now() - since < readyMs; await wait(pollMs)) {
    const state = await machine.stateOf(version)
    if (state !== 'starting') return state === 'ready'
  }
  return false
}

/** Steps 7 and 8, after the service is ready. @throws UpgradeError when the relay does not connect: the old one stays */
export async function finish(work: Work, journal: Journal): Promise<void> {
  const { place, say } = work
  sayStep(work, 7)
  const connected = await replaceRelay(work, journal.to)
  sayStep(work, 8)
  const refuseFull = whenDiskIsFull(place.releases, `${journal.to} is in use. Make room, then repeat the command`)
  await prune(work, journal).catch(refuseFull)
  if (!connected)
    throw new UpgradeError(
      `The service runs ${journal.to}. Its relay did not connect to the service, so the relay before stays. See journalctl -u relaydeck-relay@${journal.to}, then repeat the command`,
    )
  await writeJournal(place, { ...(readJournal(place) ?? journal), state: 'done' }).catch(refuseFull)
  say(`${journal.to} is in use`)
}

/** Starts a relay of the release beside those of others, waits for it, and drains them. */
async function replaceRelay({ machine, say, relayMs = usualRelayMs }: Work, version: string): Promise<boolean> {
  const running = await machine.relays()
  if (running.length === 0) return true
  await machine.startRelay(version)
  for (const since = performance.now(); !(await machine.isRelayConnected(version)); await wait(pollMs)) {
    if (performance.now() - since < relayMs) continue
    if (!running.includes(version)) await machine.stopRelay(version)
    return false
  }
  for (const old of running.filter((each) => each !== version)) {
    await machine.drainRelay(old)
    say(`The relay of ${old} ends after its last broadcast`)
  }
  return true
}

/** Removes releases beyond three that no process uses, with their backups. */
async function prune({ place, machine, say }: Work, journal: Journal): Promise<void> {
  const used = await machine.used()
  const first = [journal.to, journal.from]
  const others = listReleases(place)
    .map(({ version }) => version)
    .filter((version) => !first.includes(version))
  const gone = others.slice(keptReleases - first.length).filter((version) => !used.has(version))
  const backups = { ...journal.backups }
  for (const version of gone) {
    const backup = backups[version]
    if (backup !== undefined) await rm(backup, { force: true })
    delete backups[version]
    // A kill half-way leaves no release that lacks files.
    await rename(folderOf(place, version), join(place.releases, `.removed-${version}`))
    say(`Removed ${version}`)
  }
  await writeJournal(place, { ...journal, backups })
  await removeLeftovers(place)
}

/** Removes what a killed command has left. */
export async function removeLeftovers({ releases, incoming, downloads }: Place): Promise<void> {
  const removed = (await readdir(releases)).filter((name) => name.startsWith('.removed-'))
  for (const path of [incoming, downloads, ...removed.map((name) => join(releases, name))])
    await rm(path, { recursive: true, force: true })
}

/** Restores the backup of a version with its own program. The service is held meanwhile. */
export async function restoreOf({ place }: Work, { backups }: Journal, version: string): Promise<void> {
  const backup = backups[version]
  if (backup === undefined)
    throw new UpgradeError(
      `There is no backup of ${version}. Restore one by hand: relaydeck restore FILE, after a rollback of the data`,
    )
  await mustRun(folderOf(place, version), ['restore', backup], `The backup ${backup} cannot be restored`)
}
