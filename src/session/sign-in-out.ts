// Begin and end of a session in the ledger.
import { sleep, within } from './coordinator.ts'
import { ApiError } from './errors.ts'
import type { SessionCore } from './core.ts'
import { freshRecord, pendingOf, tombstone } from './record.ts'
import type { AuthSnapshot, TokenPair } from './types.ts'
import { isToken, randomId } from './wire.ts'

/** Sign-in waits this long for a slow ledger; then the pair is in memory until the write arrives. */
const signInMs = 3000

/**
 * Stores a pair of tokens as a new session.
 * @throws ApiError for anything but tokens
 */
export async function signIn(core: SessionCore, { accessToken, refreshToken }: TokenPair): Promise<AuthSnapshot> {
  const { config, clock, store, state, holder, flights } = core
  if (!isToken(accessToken) || !isToken(refreshToken)) throw new ApiError('These are not tokens')
  const fingerprint = await config.fingerprint?.()
  const identity = { sessionId: randomId(), generation: 0, ...(fingerprint ? { fingerprint } : {}) }
  const record = freshRecord(identity, { accessToken, refreshToken }, clock.now())
  let isLate = false
  flights.confirm()
  try {
    // A late write must not restore a pair that has been replaced since.
    const writing = store.compareAndSet((current) =>
      isLate && holder.record !== record ? undefined : { ...record, ...pendingOf(current) },
    )
    isLate = !(await within(clock, signInMs, writing))
    if (isLate || !(await writing)) throw new ApiError('Not stored')
    // Another tab may have signed in since: the ledger decides, not the order of messages.
    await holder.sync(true)
  } catch (error) {
    const { record: now } = holder
    // This tab was frozen, and another sign-in has followed.
    if (now && now.obtainedAt > record.obtainedAt) return state.get()
    holder.unsaved = true
    holder.persisted(error)
    holder.use(record)
  }
  holder.announce(record, holder.unsaved)
  return state.get()
}

/** Ends the session in every tab, and revokes its token on the server unless `notifyServer` is false. */
export async function signOut(core: SessionCore, notifyServer: boolean): Promise<void> {
  const { clock, timing, store, holder, flights, revoker } = core
  const held = holder.record
  const flight = flights.current
  if (!held) return
  holder.end('user')
  let newest = held
  const grave = () => tombstone(newest, 'user', clock.now(), notifyServer ? newest.pair?.refreshToken : undefined)
  const writing = store.compareAndSet((record) => {
    if (record && record.sessionId !== held.sessionId) return undefined
    if (record?.pair && record.generation > held.generation) newest = record
    return grave()
  })
  const ending = within(clock, timing.logoutWaitMs, writing)
    .catch(() => false)
    .then((isWritten) => {
      // When nothing can be written, only the revocation by the service remains.
      if (!isWritten && !store.bury(held.sessionId)) holder.persisted(new ApiError('Not stored'))
      return isWritten
    })
  core.ending = ending
  holder.announce(grave(), !(await ending))
  const stored = newest.pair?.refreshToken
  if (!notifyServer || !stored) return
  const tellServer = async () => {
    // A refresh in flight may have replaced the token already: the logout should revoke its successor.
    if (flight) await Promise.race([flight.done, sleep(clock, timing.logoutWaitMs)])
    revoker.revoke(stored, flight?.discarded?.refreshToken ?? stored)
  }
  void tellServer()
}
