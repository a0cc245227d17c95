// `relaydeck rollback`: the previous release, by its link; with the backup where that release refuses the schema.
import { compareVersions, factsOf } from '#server/app/ops/release.ts'
import { Preflight, readFrom, WrittenSince } from './child.ts'
import { type Journal, readJournal, writeJournal } from './journal.ts'
import { currentVersion, folderOf, listReleases, lockPlace, type Place, pointTo } from './place.ts'
import { becomesReady, changeLink, finish, removeLeftovers, restoreOf, sayStep, type Work } from './switch.ts'
import { differenceOf } from './unpack.ts'
import { unlessDiskIsFull, UpgradeError } from './upgrade-error.ts'

/**
 * Goes back to the previous release, or finishes a rollback that was killed.
 * @param restores accepts that everything after the backup is lost
 * @throws UpgradeError, below the floor without `restores` with the list of what would be lost
 */
export async function rollback(work: Work, restores: boolean): Promise<void> {
  const { place } = work
  const unlock = lockPlace(place)
  try {
    await removeLeftovers(place)
    const before = readJournal(place)
    const from = currentVersion(place)
    if (before?.isRollback && before.state === 'switching' && before.to === from) return await restart(work, before)
    const to = previousOf(place, before, from)
    const difference = await differenceOf(folderOf(place, to))
    if (difference !== undefined)
      throw new UpgradeError(`${folderOf(place, to)} is not as it was released: ${difference}`)
    const backups = before?.backups ?? {}
    const isBelow = await refusesSchema(place, to)
    const journal: Journal = { from, to, state: 'switching', raises: isBelow, isRollback: true, backups }
    if (isBelow && (!restores || backups[to] === undefined)) throw new UpgradeError(await lossesOf(place, journal))
    await change(work, journal)
  } finally {
    unlock()
  }
}

/** Returns the release before this one: that of the last upgrade, or else the newest older one. */
function previousOf(place: Place, journal: Journal | null, current: string): string {
  const installed = listReleases(place).map(({ version }) => version)
  const before = journal && !journal.isRollback && journal.to === current ? journal.from : ''
  if (installed.includes(before)) return before
  const older = installed.find((version) => compareVersions(version, current) < 0)
  if (older !== undefined) return older
  throw new UpgradeError(`${place.releases} has no release before ${current}`)
}

const refusesSchema = async (place: Place, version: string): Promise<boolean> => {
  const what = `${version} cannot run with the settings and the data of this machine`
  return (await readFrom(folderOf(place, version), ['preflight'], what, Preflight)).unknown.length > 0
}

/** Lists what a restore would lose. */
async function lossesOf(place: Place, { from, to, backups }: Journal): Promise<string> {
  const backup = backups[to]
  const first = `${to} cannot use the data of ${from}: its schema has a newer floor (${factsOf(folderOf(place, from)).floor})`
  if (backup === undefined)
    return `${first}, and there is no backup of ${to}. Its data needs a backup of your own: relaydeck restore FILE`
  const what = `${backup} cannot be compared with the data`
  const { date, changes } = await readFrom(folderOf(place, from), ['written-since', backup], what, WrittenSince)
  const rows = Object.entries(changes).map(
    ([table, by]) => `  ${table}: ${by > 0 ? `${by} more` : `${-by} fewer`} rows`,
  )
  return [
    `${first}. The backup before the upgrade is of ${date}.`,
    rows.length === 0 ? 'No table has more or fewer rows since.' : 'Written since:',
    ...rows,
    'Changes of rows that were there before would be lost as well. To go back to the backup: relaydeck rollback --restore',
  ].join('\n')
}

async function change(work: Work, journal: Journal): Promise<void> {
  const { machine } = work
  const release = journal.raises ? await machine.hold() : () => undefined
  try {
    if (journal.raises) await restoreOf(work, journal, journal.to)
    await changeLink(work, journal)
    sayStep(work, 6)
    await machine.restart()
  } finally {
    release()
  }
  await becomeReady(work, journal)
}

/** Step 6 of a rollback that was killed after its link had changed. */
async function restart(work: Work, journal: Journal): Promise<void> {
  const { machine } = work
  if ((await machine.stateOf(journal.to)) !== 'ready') {
    sayStep(work, 6)
    await machine.writeUnits(journal.to)
    await machine.restart()
  }
  await becomeReady(work, journal)
}

/** Waits for the release; without a restore, a release that does not become ready is replaced by that of before. */
async function becomeReady(work: Work, journal: Journal): Promise<void> {
  const { place, machine } = work
  const { from, to, raises } = journal
  if (await becomesReady(work, to)) return finish(work, journal)
  const what = `${to} did not become ready, see journalctl -u relaydeck.`
  if (raises) throw new UpgradeError(`${what} It stays in use, with the data of its backup`)
  await machine.writeUnits(from)
  await pointTo(place, from)
  await machine.restart()
  const isReady = await becomesReady(work, from)
  await writeJournal(place, { ...journal, state: 'reverted' }).catch(unlessDiskIsFull)
  throw new UpgradeError(`${what} ${from} is in use again${isReady ? '' : ' and is not ready either'}`)
}
