// Authentication by access token, and authorization by the role in a project. The edge calls it once per request.
import type { NeededRole } from '#contract/core/operation.ts'
import type { Scope } from '#contract/core/scopes.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { isApiToken, isIntact, isWidgetToken } from '#server/core/api-token-text.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Admission, Caller, Grant, ProjectAccess, Reading, Services, User } from '#server/core/context.ts'
import { AppError, ForbiddenError, SuspendedError, UnauthorizedError } from '#server/core/errors.ts'
import { hashOf } from '#server/core/secrets.ts'
import type { ReadDb } from '#server/db/open.ts'
import { claimsOf } from '#server/domain/account/access-tokens.ts'
import { maskAddress } from '#server/domain/account/devices.ts'
import { hasOperator } from '#server/domain/installation/store.ts'
import { updateApiTokenUse } from './api-tokens-store.ts'
import { updateGrantUse } from './apps-store.ts'
import {
  findAppCaller,
  findCaller,
  findMember,
  findSuspension,
  findTokenCaller,
  findWidgetCaller,
  getLastProject,
} from './store.ts'
import { updateWidgetUse } from './widgets-store.ts'

/** Resolution of the last use of an API token, milliseconds. */
const useMs = 5 * 60_000
const programMax = 200

/**
 * Returns the user of an access token (of a session or an app), of an API token or of a widget, with their role in a project. Null when an access token is forged or
 * expired, or its session has ended: the database is queried every time.
 * @param from the calling program
 * @throws UnauthorizedError for an API token that is malformed, unknown, revoked or expired
 */
export async function admit(
  services: Services,
  token: string,
  projectId: number | null,
  from: Caller,
): Promise<Admission | null> {
  if (isApiToken(token)) return admitApiToken(services, token, projectId, from)
  if (isWidgetToken(token)) return admitWidget(services, token, from)
  if (isAppToken(token)) return admitAppToken(services, token, projectId, from)
  const claims = claimsOf(services, token)
  if (!claims) return null
  const now = iso(services.clock.now())
  const family = await findCaller(services.db, { sessionId: claims.familyId, now, projectId })
  if (!family) return null
  return admissionOf(family)
}

async function admitApiToken(
  services: Services,
  token: string,
  projectId: number | null,
  from: Caller,
): Promise<Admission> {
  const { db, clock } = services
  const query = { hash: isIntact(token) ? hashOf(token) : '', now: iso(clock.now()), projectId }
  const row = query.hash === '' ? undefined : await findTokenCaller(db, query)
  if (!row) throw new UnauthorizedError('Unauthorized_apiToken')
  await recordUse(services, row, from, updateApiTokenUse)
  return admissionOf(row)
}

/** Admits a widget to its own project, whatever project a call names. */
async function admitWidget(services: Services, token: string, from: Caller): Promise<Admission | null> {
  if (!isIntact(token)) return null
  const row = await findWidgetCaller(services.db, { hash: hashOf(token), now: iso(services.clock.now()) })
  if (!row) return null
  await recordUse(services, row, from, updateWidgetUse)
  return admissionOf(row, row.widget_id)
}

/** Access tokens of apps are opaque, unlike those of sessions: 32 random bytes or more in base64url. */
const isAppToken = (token: string): boolean => /^[\w-]{43,64}$/.test(token)

async function admitAppToken(
  services: Services,
  token: string,
  projectId: number | null,
  from: Caller,
): Promise<Admission | null> {
  const { db, clock } = services
  const row = await findAppCaller(db, { hash: hashOf(token), now: iso(clock.now()), projectId })
  if (!row) return null
  await recordUse(services, row, from, updateGrantUse)
  return admissionOf({ ...row, scopes: row.token_scopes ?? row.scopes })
}

/** Stores the last use of a token, at most once in `useMs`. */
async function recordUse(
  { db, clock, log }: Services,
  { id, date_use: last }: { readonly id: number; readonly date_use: string | null },
  from: Caller,
  update: typeof updateApiTokenUse,
): Promise<void> {
  const now = clock.now()
  const due = iso(later(now, -useMs))
  if (last !== null && last >= due) return
  const use = { address: maskAddress(from.ip), program: (from.headers['user-agent'] ?? '').slice(0, programMax) }
  await update(db, id, { at: iso(now), ifBefore: due, ...use }).catch((error: unknown) =>
    // A read goes on where the disk is full.
    log.warn({ err: error }, 'The use of a token was not stored'),
  )
}

type CallerRow = NonNullable<Awaited<ReturnType<typeof findCaller>>>

const admissionOf = (row: CallerRow, widgetId: number | null = null): Admission => ({
  user: { id: row.user_id, sessionId: row.id, grant: grantOf(row, widgetId) },
  accessType: row.access_type,
  isSuspended: row.date_suspend !== null,
  lacksFactor: row.lacks_factor === 1,
})

/** Returns the grant of a token family; null for a sign-in. */
export const grantOf = (
  { scopes, project_id: projectId }: Pick<CallerRow, 'scopes' | 'project_id'>,
  widgetId: number | null = null,
): Grant | null =>
  scopes === null ? null : { scopes: scopes.split(' ').filter(Boolean) as Scope[], projectId, widgetId }

/** Returns whether a user may reach a project with the token of the call: null for a user without one. */
export const reaches = ({ grant }: Pick<User, 'grant'>, projectId: number): boolean =>
  (grant?.projectId ?? projectId) === projectId

/** Returns whether a session that watches a project may continue: it lives, and its user is still a member. */
export async function mayWatch(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { sessionId, projectId }: { readonly sessionId: number; readonly projectId: number },
): Promise<boolean> {
  const caller = await findCaller(db, { sessionId, now: iso(clock.now()), projectId })
  return caller !== undefined && caller.access_type !== null && caller.lacks_factor === 0
}

/** Returns whether a session may send a stream: it lives, its user is an editor, and the project is not suspended. */
export async function mayPublish(
  { db, clock }: Reading<Pick<Services, 'db' | 'clock'>>,
  { sessionId, projectId }: { readonly sessionId: number; readonly projectId: number },
): Promise<boolean> {
  const caller = await findCaller(db, { sessionId, now: iso(clock.now()), projectId })
  if (!caller || caller.lacks_factor === 1 || caller.date_suspend !== null) return false
  return caller.access_type !== null && roleCan(caller.access_type, 'editor')
}

/** Returns whether a session lives, and its user is an operator. */
export async function mayOperate(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { sessionId }: { readonly sessionId: number },
): Promise<boolean> {
  const caller = await findCaller(db, { sessionId, now: iso(clock.now()), projectId: null })
  return caller !== undefined && (await hasOperator(db, caller.user_id))
}

/**
 * Returns the role of a user in a project, which may be suspended.
 * @throws ForbiddenError when it is not enough; the same when the user has no role or the project does not exist
 * @throws AppError `SecondFactorDemanded`
 */
export async function authorizeMember(
  { db }: { readonly db: ReadDb },
  user: Pick<User, 'id' | 'grant'>,
  projectId: number,
  needed: NeededRole,
): Promise<ProjectAccess> {
  if (!reaches(user, projectId)) throw new ForbiddenError('Forbidden_project')
  const member = await findMember(db, user.id, projectId)
  if (!member || !roleCan(member.access_type, needed)) throw new ForbiddenError()
  if (member.lacks_factor === 1) throw new AppError(403, 'SecondFactorDemanded')
  return { id: projectId, accessType: member.access_type }
}

/** As `authorizeMember`, for changes. @throws SuspendedError also, unless viewers may make the change */
export async function authorize(
  { db }: { readonly db: ReadDb },
  user: Pick<User, 'id' | 'grant'>,
  projectId: number,
  needed: NeededRole,
): Promise<ProjectAccess> {
  const project = await authorizeMember({ db }, user, projectId, needed)
  if (needed !== 'viewer' && (await findSuspension(db, projectId))) throw new SuspendedError()
  return project
}

/**
 * As `authorize`; without a project id, for the project that the caller selected last.
 * @throws ForbiddenError also when none was selected
 */
export async function authorizeLast(
  { db }: Pick<Services, 'db'>,
  user: Pick<User, 'id' | 'grant'>,
  projectId: number | undefined,
  needed: NeededRole,
): Promise<ProjectAccess> {
  if (projectId !== undefined) return authorize({ db }, user, projectId, needed)
  const last = user.grant?.projectId ?? (await getLastProject(db, user.id))
  if (last === null) throw new ForbiddenError()
  return authorize({ db }, user, last, needed)
}
