// Callers of chat operations: chat keys, members of the project, or both.
import { roleCan } from '#contract/entities/roles.ts'
import type { Call, User } from '#server/core/context.ts'
import { ForbiddenError, RuleError, SuspendedError, UnauthorizedError } from '#server/core/errors.ts'
import { authorizeMember, reaches } from '#server/domain/projects/access.ts'
import { findMember, findSuspension } from '#server/domain/projects/store.ts'
import {
  type BroadcastRow,
  findBroadcast,
  findLastBroadcast,
  findOnAir,
  findProjectOfBroadcast,
} from '#server/domain/broadcasts/store.ts'
import { admitChatKey } from './keys.ts'

/** A caller, and its rights in the project. */
export interface ChatCaller {
  readonly projectId: number
  /** Members also see hidden messages. */
  readonly isMember: boolean
  readonly mayWrite: boolean
  /** The project is suspended: the caller only reads. */
  readonly isSuspended: boolean
  /** The user that acts; null: the key. */
  readonly userId: number | null
  readonly keyId: number | null
  /** Name of the key; empty for users. */
  readonly keyName: string
}

type ChatCall = Call & { readonly user: User | null }

/** Parameters that name a project or a broadcast. */
export interface ChatOf {
  readonly key?: string | undefined
  readonly broadcast_id?: number | undefined
  readonly project_id?: number | undefined
}

/**
 * Returns the caller and the broadcast of a call.
 * @throws RuleError `KeyNotFound`, `BroadcastNotFound`; UnauthorizedError; ForbiddenError
 */
export async function callerOf(
  ctx: ChatCall,
  of: ChatOf & { readonly broadcast_id: number },
): Promise<{ readonly caller: ChatCaller; readonly broadcast: BroadcastRow }> {
  const { caller, broadcast } = await anyCallerOf(ctx, of)
  if (!broadcast) throw new ForbiddenError()
  return { caller, broadcast }
}

/**
 * As `callerOf`; without a broadcast, for the one on air, else the last one of the project.
 * @returns broadcast null: the project has none
 */
export async function anyCallerOf(
  ctx: ChatCall,
  { key, broadcast_id, project_id }: ChatOf,
): Promise<{ readonly caller: ChatCaller; readonly broadcast: BroadcastRow | null }> {
  const caller = key === undefined ? await memberOf(ctx, { broadcast_id, project_id }) : await holderOf(ctx, key)
  const { projectId } = caller
  if (broadcast_id === undefined)
    return {
      caller,
      broadcast: (await findOnAir(ctx.db, projectId)) ?? (await findLastBroadcast(ctx.db, projectId)) ?? null,
    }
  const broadcast = await findBroadcast(ctx.db, projectId, broadcast_id)
  if (broadcast) return { caller, broadcast }
  // A key proves no membership, so broadcasts of other projects do not exist.
  if (key !== undefined) throw new RuleError('BroadcastNotFound')
  throw new ForbiddenError()
}

async function holderOf(ctx: ChatCall, key: string): Promise<ChatCaller> {
  const row = await admitChatKey(ctx, key, ctx.address)
  const user = ctx.user && reaches(ctx.user, row.project_id) ? ctx.user : null
  const found = user && (await findMember(ctx.db, user.id, row.project_id))
  // A member without a demanded factor has the rights of the key alone.
  const member = found?.lacks_factor === 0 ? found : null
  const isEditor = member ? roleCan(member.access_type, 'editor') : false
  return {
    projectId: row.project_id,
    isMember: Boolean(member),
    mayWrite: row.rights === 'write' || isEditor,
    isSuspended: (await findSuspension(ctx.db, row.project_id)) !== null,
    userId: isEditor && ctx.user ? ctx.user.id : null,
    keyId: row.id,
    keyName: row.name,
  }
}

async function memberOf(ctx: ChatCall, { broadcast_id, project_id }: ChatOf): Promise<ChatCaller> {
  const { user } = ctx
  if (!user) throw new UnauthorizedError()
  if (broadcast_id === undefined && project_id === undefined) throw new RuleError('ProjectMissing')
  const projectId =
    project_id ?? (broadcast_id === undefined ? undefined : await findProjectOfBroadcast(ctx.db, broadcast_id))
  if (projectId === undefined) throw new ForbiddenError()
  const { accessType } = await authorizeMember(ctx, user, projectId, 'viewer')
  const mayWrite = roleCan(accessType, 'editor')
  const isSuspended = (await findSuspension(ctx.db, projectId)) !== null
  return { projectId, isMember: true, mayWrite, isSuspended, userId: user.id, keyId: null, keyName: '' }
}

/**
 * @throws RuleError `KeyMayNotWrite` for a key that only reads; ForbiddenError for a member that may not write; SuspendedError
 */
export function mustWrite({ mayWrite, isSuspended, keyId }: ChatCaller): void {
  if (!mayWrite) throw keyId === null ? new ForbiddenError() : new RuleError('KeyMayNotWrite')
  if (isSuspended) throw new SuspendedError()
}

const commandsPerMinute = 120

/**
 * As `mustWrite`, for commands to platforms and pages: a caller has 120 a minute in a project, so that a leaked key cannot use up
 * the limits that the platforms give the account.
 * @throws RateLimitedError
 */
export function mustCommand({ limits }: Pick<Call, 'limits'>, caller: ChatCaller): void {
  mustWrite(caller)
  limits.count(`chat-command ${caller.projectId} ${nameOf(caller)}`, commandsPerMinute)
}

const searchesPerMinute = 60

/** Counts a search: a caller has 60 a minute in a project, because each compares all messages. @throws RateLimitedError */
export function countSearch({ limits }: Pick<Call, 'limits'>, caller: ChatCaller): void {
  limits.count(`chat-search ${caller.projectId} ${nameOf(caller)}`, searchesPerMinute)
}

const nameOf = ({ userId, keyId }: ChatCaller): string => (userId === null ? `key ${keyId}` : `user ${userId}`)
