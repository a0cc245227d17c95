// Accounts elsewhere that people sign in with. Each belongs to one person, each person has one of each provider, and the
// last way to sign in cannot be taken away. An e-mail that a provider names opens nobody's account.
import type { Selectable } from 'kysely'
import type { Language } from '#contract/core/wire.ts'
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { insertion, transaction } from '#server/db/transaction.ts'
import { currencyFor, insertAccount } from './accounts.ts'
import { audit } from './audit.ts'
import { type Credentials, holdPerson } from './people.ts'
import type { Outsider } from './outsider.ts'
import { canSignInBy } from './sign-in-providers.ts'

type Row = Selectable<Tables['identities']>

/**
 * The account of somebody who was asked elsewhere; a new one, by the rules of sign-up, when there is none.
 * @throws RuleError `SignUpClosed`, `CodeRejected`; `EmailTaken` when an account here has the e-mail: its owner signs
 *   in as usual and connects the provider
 */
export async function signInWith(
  services: Services,
  who: Outsider,
  sign: { readonly language: Language; readonly code?: string },
): Promise<{ readonly id: number }> {
  try {
    return await insertion(services.db, (trx) => enter(services, trx, who, sign))
  } catch (error) {
    // The same person may have come twice at once: what refuses the second is what the first has done.
    const known = error instanceof RuleError ? await find(services.db, who) : undefined
    if (!known) throw error
    return { id: known.user_id }
  }
}

async function enter(
  services: Services,
  trx: Trx,
  who: Outsider,
  { language, code }: { readonly language: Language; readonly code?: string },
) {
  const known = await find(trx, who)
  if (known) {
    await trx.updateTable('identities').set(shownOf(who)).where('id', '=', known.id).execute()
    return { id: known.user_id }
  }
  const { email, lastName } = who
  const firstName = who.firstName || who.provider
  const applicant = { email, firstName, lastName, language, currency: currencyFor(language) }
  const user = await insertAccount(services, trx, code === undefined ? applicant : { ...applicant, code }, null)
  await insert(services, trx, user.id, who)
  return user
}

/**
 * Connects an account elsewhere; one that is connected already is fine.
 * @throws RuleError `SocialTaken` when it is somebody else's, `SocialConnected` when there is another of this provider
 */
export function connect(services: Services, userId: number, who: Outsider): Promise<void> {
  return insertion(services.db, async (trx) => {
    await holdPerson(trx, userId)
    const known = await find(trx, who)
    if (known?.user_id === userId) return
    if (known) throw new RuleError('SocialTaken', 'Somebody else here signs in with this account')
    const have = (await list(trx, userId)).some(({ provider }) => provider === who.provider)
    if (have) throw new RuleError('SocialConnected', 'Disconnect the account that is connected first')
    await insert(services, trx, userId, who)
  })
}

/**
 * Takes a way to sign in away.
 * @throws RuleError `SocialNotFound`, `LastWayToSignIn`
 */
export function disconnect(services: Services, userId: number, id: number): Promise<void> {
  return transaction(services.db, async (trx) => {
    // Held to the end: of two at a time the second sees what the first has left.
    const user = await holdPerson(trx, userId)
    const rows = await list(trx, userId)
    const row = rows.find((one) => one.id === id)
    if (!row) throw new RuleError('SocialNotFound', 'No such account is connected')
    if (isLast(services, user, rows, row)) {
      throw new RuleError('LastWayToSignIn', 'This is the only way to sign in that is left. Set a password first.')
    }
    await trx.deleteFrom('identities').where('id', '=', id).execute()
    await audit(services, trx, 'account.disconnected', { userId })
  })
}

/** What is connected, and whether there is a password. */
export async function listIdentities({ db, config }: Pick<Services, 'db' | 'config'>, userId: number) {
  const user = await db
    .selectFrom('users')
    .select(['email', 'password_hash'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const rows = await list(db, userId)
  return {
    password: hasPassword(user),
    identities: rows.map(({ id, provider, name, photo, date_create }) => ({
      id,
      provider,
      name,
      photo,
      date_create,
      isLast: isLast({ config }, user, rows, { id }),
    })),
  }
}

const hasPassword = (user: Credentials): boolean => user.password_hash !== null && user.email !== null

/** Would nobody get in without it? A provider that is not configured any more lets nobody in. */
const isLast = (
  { config }: Pick<Services, 'config'>,
  user: Credentials,
  rows: readonly Row[],
  { id }: Pick<Row, 'id'>,
): boolean => !hasPassword(user) && !rows.some((row) => row.id !== id && canSignInBy(config, row.provider))

const find = (db: Db | Trx, { provider, subject }: Outsider): Promise<Row | undefined> =>
  db
    .selectFrom('identities')
    .selectAll()
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst()

const list = (db: Db | Trx, userId: number): Promise<Row[]> =>
  db.selectFrom('identities').selectAll().where('user_id', '=', userId).orderBy('id').execute()

const shownOf = ({ firstName, lastName, photo }: Outsider) => ({
  name: [firstName, lastName].filter(Boolean).join(' ').slice(0, 255),
  photo,
})

async function insert(services: Services, trx: Trx, userId: number, who: Outsider): Promise<void> {
  const { provider, subject } = who
  const date_create = iso(services.clock.now())
  await trx
    .insertInto('identities')
    .values({ user_id: userId, provider, subject, ...shownOf(who), date_create })
    .execute()
  await audit(services, trx, 'account.connected', { userId })
}
