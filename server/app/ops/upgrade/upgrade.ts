// `relaydeck upgrade`: eight steps, each of which may be killed. Up to the fifth the old release is in use; repeating the command
// goes on.
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, statfs } from 'node:fs/promises'
import { basename } from 'node:path'
import { compareVersions, factsOf, type ReleaseFacts } from '#server/app/ops/release.ts'
import { mustRun, Preflight, readFrom } from './child.ts'
import { type Journal, readJournal, writeJournal } from './journal.ts'
import { currentVersion, folderOf, lockPlace, type Place, pointTo } from './place.ts'
import { findRelease, type Offer, versionOf, type Wanted } from './source.ts'
import { becomesReady, changeLink, finish, removeLeftovers, restoreOf, sayStep, type Work } from './switch.ts'
import { differenceOf, unpackRelease } from './unpack.ts'
import { unlessDiskIsFull, UpgradeError, whenDiskIsFull } from './upgrade-error.ts'

export interface UpgradeOptions extends Pick<Wanted, 'what' | 'releasesUrl'> {
  /** Says what there is, and changes nothing. */
  readonly isCheck: boolean
  readonly isDowngrade: boolean
  /** Of this machine. Default: that of the process. */
  readonly arch?: string
}

/** Room for an unpacked release, bytes. */
const unpackedBytes = 400_000_000

/** Upgrades the machine, or finishes an upgrade that was killed. @throws UpgradeError, with the release that is in use after it */
export async function upgrade(work: Work, options: UpgradeOptions): Promise<void> {
  const { place, say } = work
  if (options.isCheck) return say(sentenceOf(await offerFor(place, options), place))
  const unlock = lockPlace(place)
  try {
    await removeLeftovers(place)
    if (await resume(work, options)) return
    const from = currentVersion(place)
    sayStep(work, 1)
    const offer = await offerFor(place, options)
    refuseVersion(offer, from, options)
    const archive = await offer.fetch(place.downloads).catch(whenDiskIsFull(place.downloads, `${from} stays in use`))
    const facts = await unpack(work, offer, archive)
    await rm(place.downloads, { recursive: true, force: true })
    const raises = await check(work, from, facts)
    await change(work, from, facts, raises)
  } finally {
    unlock()
  }
}

async function offerFor(place: Place, { arch = process.arch, ...options }: UpgradeOptions): Promise<Offer> {
  return findRelease({ ...options, arch, release: place.current })
}

const sentenceOf = ({ version, name }: Offer, place: Place): string => {
  const current = currentVersion(place)
  const by = compareVersions(version, current)
  const verdict = by > 0 ? 'newer than' : by < 0 ? 'older than' : 'the same as'
  return `${name} is there, signed, and ${verdict} ${current}, which is in use`
}

function refuseVersion({ version, arch }: Offer, from: string, options: UpgradeOptions): void {
  const own = options.arch ?? process.arch
  if (arch !== own) throw new UpgradeError(`The archive is for ${arch}, and this machine is ${own}`)
  const by = compareVersions(version, from)
  if (by === 0) throw new UpgradeError(`${version} is already in use`)
  if (by < 0 && !options.isDowngrade)
    throw new UpgradeError(
      `${version} is older than ${from}, which is in use. A mirror that offers it may be out of date, or not honest. To install it anyway: relaydeck upgrade --downgrade`,
    )
}

/** Step 2. @returns the facts of the verified release, which is in its place then */
async function unpack(work: Work, { name, version, arch, sha256 }: Offer, archive: string): Promise<ReleaseFacts> {
  const { place } = work
  sayStep(work, 2)
  const unchanged = `${currentVersion(place)} stays in use`
  try {
    const { bavail, bsize } = await statfs(place.releases)
    if (bavail * bsize < unpackedBytes)
      throw new UpgradeError(
        `The disk of ${place.releases} has ${megabytes(bavail * bsize)} left, and a release needs ${megabytes(unpackedBytes)}. ${unchanged}`,
      )
    await mkdir(place.incoming, { mode: 0o755 })
    await unpackRelease(archive, place.incoming, basename(name, '.tar.gz'), sha256)
    const facts = factsOf(place.incoming)
    if (facts.version !== version || facts.arch !== arch)
      throw new UpgradeError(`${name} contains ${facts.version} for ${facts.arch}. Do not use it`)
    const what = `${version} does not run here (it needs glibc ${facts.glibc} or newer)`
    const printed = await mustRun(place.incoming, ['version'], what)
    if (!printed.includes(version)) throw new UpgradeError(`${what}: it says "${printed.trim()}"`)
    await putInPlace(work, facts)
    return facts
  } catch (error) {
    await rm(place.incoming, { recursive: true, force: true })
    return whenDiskIsFull(place.releases, unchanged)(error)
  }
}

/** Renames the verified folder. A release that is there already is kept where it is complete, because processes may run from it. */
async function putInPlace({ place, machine }: Work, { version }: ReleaseFacts): Promise<void> {
  const folder = folderOf(place, version)
  if (existsSync(folder)) {
    const isUsed = (await machine.used()).has(version)
    const difference = await differenceOf(folder).catch(({ message }: Error) => message)
    const isSame = difference === undefined && factsOf(folder).commit === factsOf(place.incoming).commit
    if (isUsed && !isSame)
      throw new UpgradeError(
        `Processes use ${folder}, which is another build of ${version} (${difference ?? 'another commit'}). Stop them first`,
      )
    if (!isUsed) await rm(folder, { recursive: true })
    if (isUsed) return rm(place.incoming, { recursive: true })
  }
  await rename(place.incoming, folder)
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`

/** Step 3. @returns whether the old release refuses the schema of the new one */
async function check(work: Work, from: string, { version, floor }: ReleaseFacts): Promise<boolean> {
  const { place, say } = work
  sayStep(work, 3)
  const what = `${version} cannot run with the settings and the data of this machine, so ${from} stays in use`
  const { pending, unknown, bytes, free } = await readFrom(folderOf(place, version), ['preflight'], what, Preflight)
  if (unknown.length > 0)
    throw new UpgradeError(
      `${what}: the database has migrations that it does not know (${unknown.join(', ')}). To go back to the backup before them: relaydeck rollback --restore`,
    )
  if (free < 2 * bytes)
    throw new UpgradeError(
      `${what}: the disks of data and backups need twice the size of the database, ${megabytes(2 * bytes)}, and have ${megabytes(free)}`,
    )
  say(pending.length === 0 ? 'No migrations' : `Migrations: ${pending.join(', ')}`)
  if (floor === '') return false
  const own = await readFrom(folderOf(place, from), ['preflight', floor], `${from} cannot be asked`, Preflight)
  return !own.knows
}

/** Steps 4 to 8. */
async function change(work: Work, from: string, { version: to }: ReleaseFacts, raises: boolean): Promise<void> {
  const { place, machine, say } = work
  sayStep(work, 4)
  if (raises) say(`${from} cannot use the data of ${to}: the service stops until ${to} runs`)
  const release = raises ? await machine.hold() : () => undefined
  let journal: Journal
  try {
    const backup = await backUp(place, from)
    const before = readJournal(place)?.backups ?? {}
    journal = { from, to, state: 'switching', raises, isRollback: false, backups: { ...before, [from]: backup } }
    await changeLink(work, journal)
    if (before[from] !== undefined && before[from] !== backup) await rm(before[from], { force: true })
    sayStep(work, 6)
    await machine.restart()
  } finally {
    release()
  }
  if (!(await becomesReady(work, to))) return goBack(work, journal)
  await finish(work, journal)
}

/** Backs up with the old release, outside the rotation of daily backups. @returns the file */
async function backUp(place: Place, version: string): Promise<string> {
  const what = `The backup failed, so ${version} stays in use`
  const printed = await mustRun(folderOf(place, version), ['backup', '--before-upgrade'], what)
  const file = /^(\/.*\/before-upgrade-[\w.-]+\.tar\.gz) \(/m.exec(printed)?.[1]
  if (file === undefined) throw new UpgradeError(`${what}: it named no file`)
  return file
}

/**
 * Finishes what a killed upgrade has begun.
 * @returns false: nothing was begun, or the old release is still in use, so the upgrade starts anew
 */
async function resume(work: Work, { what }: UpgradeOptions): Promise<boolean> {
  const { place, machine, say } = work
  const journal = readJournal(place)
  if (!journal || journal.state === 'done' || journal.state === 'reverted') return false
  if (currentVersion(place) !== journal.to) {
    await machine.writeUnits(currentVersion(place))
    return false
  }
  if (journal.isRollback)
    throw new UpgradeError(`A rollback to ${journal.to} is unfinished. Repeat it first: relaydeck rollback`)
  if (what !== '' && versionOf(what) !== journal.to)
    throw new UpgradeError(`The upgrade to ${journal.to} is unfinished. Finish it first: relaydeck upgrade`)
  say(`Going on with the upgrade from ${journal.from} to ${journal.to}`)
  if ((await machine.stateOf(journal.to)) === 'ready') {
    await writeJournal(place, { ...journal, state: 'switching' })
    await finish(work, journal)
    return true
  }
  if (journal.state === 'reverting') await goBack(work, journal)
  sayStep(work, 6)
  for (const sentence of await machine.writeUnits(journal.to)) say(sentence)
  await machine.restart()
  if (await becomesReady(work, journal.to)) await finish(work, journal)
  else if (journal.raises) throw new UpgradeError(mayHaveServed(journal))
  else await goBack(work, journal)
  return true
}

/** After a kill the new release may have served for a while: only the operator can give up what it has written. */
const mayHaveServed = ({ to }: Journal): string =>
  `${to} does not become ready. It may have written data since it was installed, so this does not go back by itself. See journalctl -u relaydeck, or go back: relaydeck rollback, which lists what would be lost`

/** Goes back to the old release after the new one did not become ready. @throws UpgradeError always */
async function goBack(work: Work, journal: Journal): Promise<never> {
  const { place, machine, say } = work
  const { from, to, raises } = journal
  // A full disk must not keep the release that fails: without a note a repeated upgrade begins anew.
  await writeJournal(place, { ...journal, state: 'reverting' }).catch(unlessDiskIsFull)
  say(`${to} did not become ready. Going back to ${from}`)
  const release = raises ? await machine.hold() : () => undefined
  try {
    // The data first: the link leads to a release that can use it at each moment.
    if (raises) await restoreOf(work, journal, from)
    await machine.writeUnits(from)
    await pointTo(place, from)
    await machine.restart()
  } finally {
    release()
  }
  const isReady = await becomesReady(work, from)
  await writeJournal(place, { ...journal, state: 'reverted' }).catch(unlessDiskIsFull)
  const what = `${to} did not become ready, see journalctl -u relaydeck.`
  throw new UpgradeError(
    isReady
      ? `${what} ${from} is in use again${raises ? ', with the data of before' : ''}`
      : `${what} ${from} is in use again and is not ready either`,
  )
}
