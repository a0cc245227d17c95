// Invitations into a project, for its owners: a secret that works once within a week, for one role; only its hash is stored.
// The caller locks the project. Answers are in team-answers.ts.
import { type AccessType } from '#contract/entities/roles.ts'
import { iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { RuleError } from '#server/core/errors.ts'
import { hashOf, randomToken } from '#server/core/secrets.ts'
import type { ReadDb, Trx } from '#server/db/open.ts'
import { maskedEmail } from '#server/domain/account/accounts.ts'
import { forgetCode } from '#server/domain/account/codes.ts'
import { recordHistory } from './history.ts'
import {
  updateInvitesEnded,
  insertInvite,
  type InviteRow,
  type InviteSelector,
  listOpenInvites,
} from './invites-store.ts'
import { countMembers, getProjectType, hasMember } from './store.ts'
import { mustBeAllowed } from './team-rules.ts'

const lifeMs = 7 * 86_400_000
const waitingMax = 100
/** Limit against accidents and abuse. */
const membersMax = 500

/** An invitation to create. */
export interface NewInvite {
  readonly projectId: number
  readonly fromUserId: number
  readonly accessType: AccessType
  /** Normalised (`normalEmail`); null for a link without a recipient. */
  readonly email: string | null
}

/**
 * Creates an invitation. It replaces one to the same e-mail.
 * @returns its row, and the secret, which is stored nowhere
 * @throws RuleError `PersonalProject`, `AlreadyMember`, `TooManyInvites` or `TooManyMembers`
 */
export async function addInvite(
  services: Services,
  trx: Trx,
  { projectId, fromUserId, accessType, email }: NewInvite,
): Promise<{ readonly row: InviteRow; readonly secret: string }> {
  mustBeAllowed({ type: await getProjectType(trx, projectId), owners: 1, from: null, to: accessType })
  await refuseCrowd(trx, projectId)
  if (email !== null) {
    if (await hasMember(trx, projectId, email)) throw new RuleError('AlreadyMember')
    await withdrawInvites(services, trx, fromUserId, { project_id: projectId, email })
  }
  if ((await listInvites(services, trx, projectId)).length >= waitingMax) {
    throw new RuleError('TooManyInvites', {
      max: waitingMax,
    })
  }
  const secret = randomToken()
  const now = services.clock.now()
  const row = await insertInvite(trx, {
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
  await noteInvite(services, trx, row, fromUserId, 'add')
  return { row, secret }
}

/** @throws RuleError `TooManyMembers` when the project is full */
export async function refuseCrowd(trx: Trx, projectId: number): Promise<void> {
  if ((await countMembers(trx, projectId)) < membersMax) return
  throw new RuleError('TooManyMembers', { max: membersMax })
}

/** Returns the open invitations of a project with their senders, newest first. */
export const listInvites = ({ clock }: Pick<Services, 'clock'>, db: ReadDb, projectId: number) =>
  listOpenInvites(db, projectId, iso(clock.now()))

/** Withdraws open invitations and their sign-up codes. @returns how many */
export async function withdrawInvites(
  services: Services,
  trx: Trx,
  actorId: number,
  which: InviteSelector,
): Promise<number> {
  const rows = await updateInvitesEnded(trx, which, iso(services.clock.now()))
  for (const row of rows) {
    await forgetCode(trx, 'invite', signUpState(row.id))
    await noteInvite(services, trx, row, actorId, 'del')
  }
  return rows.length
}

/** Returns the state that binds sign-up codes to an invitation. */
export const signUpState = (inviteId: number): string => `project-invite ${inviteId}`

/** Records the outcome of an invitation in the history. */
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
