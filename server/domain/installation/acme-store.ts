// SQL of the challenges of certificate orders.
import type { Db, ReadDb } from '#server/db/open.ts'

interface Challenge {
  readonly token: string
  readonly answer: string
  /** Time of removal, ISO 8601. */
  readonly until: string
}

/** Adds a challenge, and removes those of orders that never ended. */
export async function insertChallenge(db: Db, challenge: Challenge, now: string): Promise<void> {
  await db.deleteFrom('acme_challenges').where('until', '<', now).execute()
  await db.insertInto('acme_challenges').values(challenge).execute()
}

/** Returns the answer to a challenge; undefined: the token is of no running order. */
export async function findChallenge(db: ReadDb, token: string): Promise<string | undefined> {
  const row = await db.selectFrom('acme_challenges').select('answer').where('token', '=', token).executeTakeFirst()
  return row?.answer
}

export async function removeChallenge(db: Db, token: string): Promise<void> {
  await db.deleteFrom('acme_challenges').where('token', '=', token).execute()
}
