// Tokens of realtime connections and their channels: JWTs as Centrifugo reads them, so that it can stand in for our hub.
import { createSecretKey, type KeyObject } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { ProjectRole } from '#contract/core/operation.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { type ChannelType, readChannel } from '#contract/events/channels.ts'
import type { ProjectAccess, Services, User } from '#server/core/context.ts'
import { ForbiddenError } from '#server/core/errors.ts'
import { derivedKey } from '#server/core/secrets.ts'
import type { Settings } from '#server/core/settings.ts'
import { findBroadcast } from '#server/domain/broadcasts/store.ts'

/** Who may listen: the channels of a project are for editors (published C.1), everything else for every member. */
export const neededFor = (type: ChannelType): ProjectRole => (type === 'channels' ? 'editor' : 'viewer')

/** How long a token is good for, in seconds (published examples). */
export const tokenSeconds = { connection: 300, channel: 1_800 } as const
/**
 * How long a connection and a subscription last in our own hub once they stand: longer than their tokens (`expire_at`),
 * because the end of a session or of a membership ends them, and a page that nobody looks at need not ask for tokens.
 * A Centrifugo cannot be told of that: there they end with their tokens.
 */
const lifeSeconds = 12 * 3_600
const algorithm = 'HS256'
const keys = new WeakMap<Settings, KeyObject>()

/** Whose connection it is. The hub looks at it again and again; Centrifugo keeps it to itself. */
export interface Holder {
  readonly user_id: number
  /** Family of the access token that asked. */
  readonly session_id: number
}

/** What a token says. Times are seconds since 1970. */
export interface RealtimeClaims {
  /** Number of the project, as text: `project#7` is open to the connections of `7` (published C.2). Of overlays: `overlay-7`. */
  readonly sub: string
  /** Of a subscription's token: what it is good for. */
  readonly channel: string | null
  readonly exp: number
  /** When what it opened ends; 0: never. */
  readonly expireAt: number
  readonly holder: Holder | null
}

type Part = Pick<Services, 'config' | 'clock'>

/** Signs the token of a project's connection. */
export const signConnection = (services: Part, projectId: number, user: User): Promise<string> =>
  sign(services, tokenSeconds.connection, { sub: String(projectId), user })

/**
 * Signs the token of a channel.
 * @param channel its name on the wire
 * @throws ForbiddenError for a channel that is not the project's, the same for one that does not exist
 */
export async function signChannel(
  services: Part & Pick<Services, 'db'>,
  project: ProjectAccess,
  channel: string,
  user: User,
): Promise<string> {
  const named = readChannel(channel)
  if (!named || !roleCan(project.accessType, neededFor(named.type))) throw new ForbiddenError()
  const isMine = named.type.startsWith('broadcast')
    ? (await findBroadcast(services.db, project.id, named.id)) !== undefined
    : named.id === project.id
  if (!isMine) throw new ForbiddenError()
  return sign(services, tokenSeconds.channel, { sub: String(project.id), user, channel })
}

/**
 * Signs the tokens of an overlay, which has a key of the project and no account. Centrifugo refuses a connection whose token
 * names a channel, and a subscription whose subject is not the connection's.
 * @param channel its name on the wire; the caller has checked that it is the project's
 */
export async function signOverlay(
  services: Part,
  projectId: number,
  channel: string,
): Promise<{ readonly connection: string; readonly subscription: string }> {
  // Not the project's number: `project#7` is open to the connections of `7`.
  const sub = `overlay-${projectId}`
  return {
    connection: await sign(services, tokenSeconds.connection, { sub }),
    subscription: await sign(services, tokenSeconds.channel, { sub, channel }),
  }
}

function sign(
  { config, clock }: Part,
  seconds: number,
  { sub, user, channel }: { readonly sub: string; readonly user?: User; readonly channel?: string },
): Promise<string> {
  const now = Math.floor(clock.now().getTime() / 1000)
  const meta: Holder | undefined = user && { user_id: user.id, session_id: user.sessionId }
  const claims = { ...(channel !== undefined && { channel }), ...(meta && { meta }) }
  const life = config.centrifugo.url === null && { expire_at: now + lifeSeconds }
  return new SignJWT({ ...claims, ...life })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setSubject(sub)
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .sign(keyOf(config))
}

/**
 * Reads a token.
 * @returns null when it is forged or no such token; one that is too old says so by its `exp`
 */
export async function readRealtimeToken(config: Settings, token: string): Promise<RealtimeClaims | null> {
  try {
    // The end is looked at by the caller, with the service's own clock.
    const currentDate = new Date(0)
    const { payload } = await jwtVerify(token, keyOf(config), { algorithms: [algorithm], currentDate })
    const { sub, exp, channel, expire_at, meta } = payload
    if (typeof sub !== 'string' || typeof exp !== 'number') return null
    return {
      sub,
      exp,
      channel: typeof channel === 'string' ? channel : null,
      expireAt: typeof expire_at === 'number' ? expire_at : exp,
      holder: isHolder(meta) ? meta : null,
    }
  } catch {
    return null
  }
}

const isHolder = (meta: unknown): meta is Holder =>
  typeof meta === 'object' && meta !== null && 'user_id' in meta && 'session_id' in meta

function keyOf(config: Settings): KeyObject {
  const { tokenSecret } = config.centrifugo
  const made =
    keys.get(config) ??
    createSecretKey(tokenSecret === '' ? derivedKey(config.secret, 'realtime') : Buffer.from(tokenSecret))
  keys.set(config, made)
  return made
}
