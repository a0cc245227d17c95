// Invitations into a project, from the side of its owners: a secret that works once, kept as a hash, for a week, for
// one role. The caller holds the project. How they are answered is in team-answers.ts.
import type { Selectable } from 'kysely'
import type { AccessType } from '#contract/entities/project.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { hashOf, randomToken } from '#server/core/secrets.ts'
import type { Db, Trx } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'
import { maskedEmail } from '#server/domain/account/accounts.ts'
import { forgetCode } from '#server/domain/account/codes.ts'
import { recordHistory } from './history.ts'
import { mustBeAllowed } from './team-rules.ts'
import { countMembers, findKind, hasMember } from './team-store.ts'

export type InviteRow = Selectable<Tables['project_invites']>

const lifeMs = 7 * 86_400_000
const waitingMax = 100
/** Against accidents and abuse. */
const membersMax = 500

/** Whom to let in. */
export interface NewInvite {
  readonly projectId: number
  readonly fromUserId: number
  readonly accessType: AccessType
  /** Spelled as accounts are (`normalEmail`); null for a link that is handed over. */
  readonly email: string | null
}

/**
 * Makes an invitation. One to the same e-mail is replaced.
 * @returns its row, and the secret that nobody will see again
 * @throws RuleError `PersonalProject`, `AlreadyMember`, `TooManyInvites` or `TooManyMembers`
 */
export async function addInvite(
  services: Services,
  trx: Trx,
  { projectId, fromUserId, accessType, email }: NewInvite,
): Promise<{ readonly row: InviteRow; readonly secret: string }> {
  mustBeAllowed({ type: await findKind(trx, projectId), owners: 1, from: null, to: accessType })
  await refuseCrowd(trx, projectId)
  if (email !== null) {
    if (await hasMember(trx, projectId, email)) throw new RuleError('AlreadyMember', 'This person is in the project')
    await withdrawInvites(services, trx, fromUserId, { project_id: projectId, email })
  }
  if ((await listInvites(services, trx, projectId)).length >= waitingMax) {
    throw new RuleError('TooManyInvites', `At most ${waitingMax} invitations wait at once`, { max: waitingMax })
  }
  const secret = randomToken()
  const now = services.clock.now()
  const row = await trx
    .insertInto('project_invites')
    .values({
      project_id: projectId,
      from_user_id: fromUserId,
      access_type: accessType,
      email,
      hash: hashOf(secret),
      date_create: iso(now),
      date_expire: iso(later(now, lifeMs)),
      date_end: null,
      accepted_by: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await noteInvite(services, trx, row, fromUserId, 'add')
  return { row, secret }
}

/** @throws RuleError `TooManyMembers` when nobody else fits in */
export async function refuseCrowd(trx: Trx, projectId: number): Promise<void> {
  if ((await countMembers(trx, projectId)) < membersMax) return
  throw new RuleError('TooManyMembers', `A project has at most ${membersMax} members`, { max: membersMax })
}

/** Invitations that wait for an answer, newest first, with who sent them. */
export const listInvites = ({ clock }: Pick<Services, 'clock'>, db: Db | Trx, projectId: number) =>
  db
    .selectFrom('project_invites')
    .innerJoin('users', 'users.id', 'project_invites.from_user_id')
    .selectAll('project_invites')
    .select(['users.first_name', 'users.last_name'])
    .where('project_id', '=', projectId)
    .where('date_end', 'is', null)
    .where('date_expire', '>', iso(clock.now()))
    .orderBy('project_invites.id', 'desc')
    .execute()

/** Which invitations of a project: one, those to an e-mail, or those that somebody sent. */
export type Which = { readonly project_id: number } & (
  | { readonly id: number }
  | { readonly email: string }
  | { readonly from_user_id: number }
)

/** Withdraws invitations that wait, with what was given out for them. @returns how many */
export async function withdrawInvites(services: Services, trx: Trx, actorId: number, which: Which): Promise<number> {
  const rows = await trx
    .updateTable('project_invites')
    .set({ date_end: iso(services.clock.now()) })
    .where((eb) => eb.and(which))
    .where('date_end', 'is', null)
    .returningAll()
    .execute()
  for (const row of rows) {
    await forgetCode(trx, 'invite', signUpState(row.id))
    await noteInvite(services, trx, row, actorId, 'del')
  }
  return rows.length
}

/** What the codes to make an account for an invitation are bound to. */
export const signUpState = (inviteId: number): string => `project-invite ${inviteId}`

/** Notes what became of an invitation. */
export const noteInvite = (
  services: Services,
  trx: Trx,
  row: InviteRow,
  userId: number | null,
  what: 'add' | 'del' | 'accept' | 'decline',
): Promise<void> =>
  recordHistory(services, trx, {
    projectId: row.project_id,
    userId,
    action: `user_project_invite_${what}`,
    details: { invite_id: row.id, access_type: row.access_type, ...(row.email && { email: maskedEmail(row.email) }) },
  })
