// Third-party apps: registration by developers, grants by users. A grant is a token family, and ends like a session.
import type { Scope } from '#contract/core/scopes.ts'
import { dayMs, iso, later } from '#server/core/clock.ts'
import type { Services, User } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { hashOf, randomToken } from '#server/core/secrets.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { transaction } from '#server/db/transaction.ts'
import { audit } from '#server/domain/account/audit.ts'
import { proveFresh } from '#server/domain/account/credentials.ts'
import type { Upload } from '#contract/core/upload.ts'
import { createScopedFamily, endFamilies } from '#server/domain/account/families.ts'
import { readPicture, storePicture } from '#server/domain/account/pictures.ts'
import { lockUser, removeFile } from '#server/domain/account/store.ts'
import {
  type AppRow,
  countApps,
  findApp,
  findConnection,
  insertApp,
  insertGrant,
  listApps,
  listGrantFamilies,
  removeApp,
  updateApp,
} from './apps-store.ts'
import { findMember } from './store.ts'

/** Maximum number of apps of a developer. */
const appsMax = 20
/** Lifetime of a grant with offline access, days. */
export const grantDays = 365
/** Lifetime of a grant without offline access, seconds: its code or device code, and one access token. */
export const briefGrantSeconds = 2 * 3600
const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

export interface AppFields {
  readonly name: string
  readonly website: string
  readonly redirectUris: readonly string[]
  readonly scopes: readonly Scope[]
}

/**
 * Returns whether codes may be sent to an address: https, http on the loopback interface, or a scheme of an app with a dot (RFC 8252,
 * 7.1). Compared later as text, so that it must be spelled as `URL` spells it.
 */
export function isRedirectUri(text: string): boolean {
  const url = URL.parse(text)
  if (!url || text.includes('#') || text.includes('*') || url.username !== '' || url.password !== '') return false
  if (/[\s\\]/.test(text) || (url.href !== text && url.href !== `${text}/`)) return false
  // An app on the machine of its user has no certificate; the authorization server refuses such an app.
  if (url.protocol === 'https:') return !loopback.has(url.hostname)
  if (url.protocol === 'http:') return loopback.has(url.hostname)
  return /^[a-z][a-z\d-]*(?:\.[a-z\d-]+)+:$/.test(url.protocol)
}

/** @throws RuleError `WebsiteInvalid`, `RedirectUriInvalid` */
function columnsOf({ name, website, redirectUris, scopes }: AppFields) {
  if (!URL.canParse(website)) throw new RuleError('WebsiteInvalid', { uri: website })
  const wrong = redirectUris.find((uri) => !isRedirectUri(uri))
  if (wrong !== undefined) throw new RuleError('RedirectUriInvalid', { uri: wrong })
  return {
    name,
    website,
    redirect_uris: JSON.stringify([...new Set(redirectUris)]),
    scopes: [...new Set(scopes)].join(' '),
  }
}

/**
 * Registers an app.
 * @returns its row, and its secret, which is stored nowhere; null for a public app
 * @throws RuleError `SignInAgain`, `TooManyApps`, `WebsiteInvalid`, `RedirectUriInvalid`
 */
export async function createApp(
  services: Services,
  user: User,
  fields: AppFields & { readonly isPublic: boolean },
): Promise<{ readonly row: AppRow; readonly secret: string | null }> {
  const { db, clock } = services
  const columns = columnsOf(fields)
  await proveFresh(services, user)
  const secret = fields.isPublic ? null : randomToken()
  const now = iso(clock.now())
  const row = await transaction(db, async (trx) => {
    await lockUser(trx, user.id)
    if ((await countApps(trx, user.id)) >= appsMax) throw new RuleError('TooManyApps', { max: appsMax })
    const own = { user_id: user.id, client_id: randomToken().slice(0, 24), date_create: now }
    const { id } = await insertApp(trx, { ...columns, ...own, secret_hash: secret === null ? null : hashOf(secret) })
    await audit(services, trx, 'account.app-created', { userId: user.id })
    return (await listApps(trx, user.id, now)).find((one) => one.id === id)
  })
  if (!row) throw new Error('The new app is not listed')
  return { row, secret }
}

/** Changes an app. @throws RuleError `SignInAgain`, `AppNotFound`, `WebsiteInvalid`, `RedirectUriInvalid` */
export async function changeApp(services: Services, user: User, id: number, fields: AppFields): Promise<void> {
  const columns = columnsOf(fields)
  await proveFresh(services, user)
  await transaction(services.db, async (trx) => {
    await getApp(trx, user, id)
    await updateApp(trx, id, columns)
    await audit(services, trx, 'account.app-changed', { userId: user.id })
  })
}

/**
 * Changes the picture of an app.
 * @returns name of its file
 * @throws RuleError `SignInAgain`, `AppNotFound`, and as `readPicture`
 */
export async function changePicture(services: Services, user: User, id: number, upload: Upload): Promise<string> {
  await proveFresh(services, user)
  await getApp(services.db, user, id)
  const content = await readPicture(upload)
  return transaction(services.db, async (trx) => {
    await lockUser(trx, user.id)
    const { picture: before } = await getApp(trx, user, id)
    const picture = await storePicture(trx, content)
    await updateApp(trx, id, { picture })
    if (before !== null) await removeFile(trx, before)
    await audit(services, trx, 'account.app-changed', { userId: user.id })
    return picture
  })
}

/** Replaces the secret of an app. @throws RuleError `AppNotFound`, also for a public app; `SignInAgain` */
export async function replaceSecret(services: Services, user: User, id: number): Promise<string> {
  await proveFresh(services, user)
  const secret = randomToken()
  await transaction(services.db, async (trx) => {
    const { secret_hash: old } = await getApp(trx, user, id)
    if (old === null) throw new RuleError('AppNotFound')
    await updateApp(trx, id, { secret_hash: hashOf(secret) })
    await audit(services, trx, 'account.app-secret', { userId: user.id })
  })
  return secret
}

/** Deletes an app and ends its grants. @throws RuleError `AppNotFound` */
export const deleteApp = (services: Services, user: User, id: number): Promise<void> =>
  transaction(services.db, async (trx) => {
    await lockUser(trx, user.id)
    const { picture } = await getApp(trx, user, id)
    await endGrants(services, trx, { appId: id })
    await removeApp(trx, id)
    if (picture !== null) await removeFile(trx, picture)
    await audit(services, trx, 'account.app-removed', { userId: user.id })
  })

/** @throws RuleError `AppNotFound` */
async function getApp(db: ReadDb, user: User, id: number) {
  const app = await findApp(db, user.id, id)
  if (!app) throw new RuleError('AppNotFound')
  return app
}

/**
 * Stores a consent.
 * @param grant `id`: that the authorization server gave it; `isLasting`: with offline access
 * @returns false, without a change, when the person is no member of the project
 */
export const createGrant = (
  services: Services,
  grant: {
    readonly id: string
    readonly appId: number
    readonly userId: number
    readonly projectId: number
    readonly scopes: readonly Scope[]
    readonly isLasting: boolean
  },
): Promise<boolean> =>
  transaction(services.db, async (trx) => {
    const now = services.clock.now()
    await lockUser(trx, grant.userId)
    if (!(await findMember(trx, grant.userId, grant.projectId))) return false
    const lifeMs = grant.isLasting ? grantDays * dayMs : briefGrantSeconds * 1000
    const familyId = await createScopedFamily(trx, { ...grant, from: now, to: later(now, lifeMs) })
    await insertGrant(trx, { hash: hashOf(grant.id), family_id: familyId, app_id: grant.appId, date_use: null })
    await audit(services, trx, 'account.app-connected', { userId: grant.userId, familyId })
    return true
  })

/** Ends active grants. */
export async function endGrants(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  of: Parameters<typeof listGrantFamilies>[1],
): Promise<void> {
  const ids = await listGrantFamilies(trx, of, iso(services.clock.now()))
  if (ids.length > 0) await endFamilies(services, trx, ids, 'closed')
}

/** Ends a connection, of a person or of a project: all grants of its app, user and project. @throws RuleError `GrantNotFound` */
export const disconnectApp = (
  services: Services,
  of: { readonly id: number; readonly userId?: number; readonly projectId?: number },
): Promise<void> =>
  transaction(services.db, async (trx) => {
    const connection = await findConnection(trx, of, iso(services.clock.now()))
    if (!connection?.project_id) throw new RuleError('GrantNotFound')
    const { app_id: appId, user_id: userId, project_id: projectId } = connection
    await endGrants(services, trx, { appId, userId, projectId })
  })
