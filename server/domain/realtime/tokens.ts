// Tokens of realtime connections and channels: JWTs in Centrifugo's format, so that Centrifugo can replace the hub.
import * as z from 'zod/mini'
import type { NeededRole } from '#contract/core/operation.ts'
import { type NeededScope, scopesAllow } from '#contract/core/scopes.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { type Channel, type ChannelType, readChannel } from '#contract/events/channels.ts'
import type { Grant, ProjectAccess, Services, User } from '#server/core/context.ts'
import { AppError, ForbiddenError } from '#server/core/errors.ts'
import { type Jwt, jwtOf } from '#server/core/jwt.ts'
import { derivedKey } from '#server/core/secrets.ts'
import type { Settings } from '#server/core/settings.ts'
import { origin, settings, several, anyText, variable } from '#server/core/variables.ts'
import type { ReadDb } from '#server/db/open.ts'
import { findBroadcast } from '#server/domain/broadcasts/store.ts'
import { findMedia } from '#server/domain/media/store.ts'
import { findWidget } from '#server/domain/projects/widgets-store.ts'

export const centrifugoSettings = settings({
  /** Centrifugo that replaces the built-in hub; `url` null: none. `tokenSecret` empty: derived. */
  centrifugo: several(
    {
      CENTRIFUGO_URL: variable(
        z.union([z.literal(''), origin]),
        '',
        'Origin of a Centrifugo that replaces the built-in realtime hub, for example `http://127.0.0.1:8000`. Empty: the built-in hub',
      ),
      CENTRIFUGO_API_KEY: variable(anyText, '', 'Key of Centrifugo’s HTTP API. Empty: the built-in hub'),
      CENTRIFUGO_TOKEN_SECRET: variable(
        z.union([z.literal(''), z.string().check(z.minLength(16))]),
        '',
        'Secret that signs realtime tokens (HMAC), the same as in Centrifugo’s configuration, 16 characters or more. Empty: derived from SECRET',
      ),
    },
    (values) => ({
      // Both are required.
      url: values.CENTRIFUGO_URL === '' || values.CENTRIFUGO_API_KEY === '' ? null : values.CENTRIFUGO_URL,
      apiKey: values.CENTRIFUGO_API_KEY,
      tokenSecret: values.CENTRIFUGO_TOKEN_SECRET,
    }),
  ),
})

/** Returns the role that a subscription needs: editor for the channels of a project (published C.1), else viewer. */
export const neededFor = (type: ChannelType): NeededRole => (type === 'channels' ? 'editor' : 'viewer')

/** Scopes that an API token needs to subscribe. A broadcast's channel carries its chat. */
const scopesOf: Readonly<Record<ChannelType, readonly NeededScope[]>> = {
  project: ['project:read'],
  channels: ['channels:read'],
  broadcast: ['broadcasts:read', 'chat:read'],
  broadcast_restreams: ['broadcasts:read'],
  broadcast_restream_stats: ['broadcasts:read'],
  project_live: ['broadcasts:read'],
  widget_template: ['broadcasts:read'],
  media_file: ['broadcasts:read'],
}

/** Returns whether a caller with this grant may subscribe to a type of channel. */
export const mayHear = (grant: Grant | null, type: ChannelType): boolean =>
  grant === null || scopesOf[type].every((scope) => scopesAllow(grant.scopes, scope))

/** Lifetime of tokens, seconds (published examples). */
export const tokenSeconds = { connection: 300, channel: 1_800 } as const
/**
 * Lifetime of connections and subscriptions in the own hub. It exceeds the tokens' (`expire_at`): the end of a session or
 * of a membership ends them, and hidden pages need no new tokens. In Centrifugo they end with their tokens.
 */
const lifeSeconds = 12 * 3_600
const jwts = new WeakMap<Settings, Jwt>()

/**
 * Holder of a connection: the session of a user, or a chat key. The hub checks them repeatedly; Centrifugo does not expose them
 * to clients.
 */
export type Holder = SessionHolder | KeyHolder

/** Session and user of a connection. */
export interface SessionHolder {
  readonly user_id: number
  /** Token family of the session. */
  readonly session_id: number
}

/** Chat key of an overlay's connection. */
export interface KeyHolder {
  readonly key_id: number
}

/** Claims of a token. Times are seconds since 1970. */
export interface RealtimeClaims {
  /** Number of the project, as text: `project#7` is open to the connections of `7` (published C.2). Of overlays: `overlay-7`; of API tokens without `project:read`: `grant-7`. */
  readonly sub: string
  /** Realtime channel of a subscription token; null: a connection token. */
  readonly channel: string | null
  readonly exp: number
  /** End of the connection or subscription; 0: never. */
  readonly expireAt: number
  /** Null: a token of an earlier release, which is refused. */
  readonly holder: Holder | null
}

type TokenServices = Pick<Services, 'config' | 'clock'>

/** Signs the token of a project's connection. */
export const signConnection = (services: TokenServices, projectId: number, user: User): string =>
  sign(services, tokenSeconds.connection, { sub: subjectOf(projectId, user), holder: holderOf(user) })

/**
 * Signs the token of a channel.
 * @param channel its name on the wire
 * @throws ForbiddenError for an unknown channel, or one of another project
 */
export async function signChannel(
  services: TokenServices & Pick<Services, 'db'>,
  project: ProjectAccess,
  channel: string,
  user: User,
): Promise<string> {
  const named = readChannel(channel)
  if (!named || !roleCan(project.accessType, neededFor(named.type))) throw new ForbiddenError()
  if (!mayHear(user.grant, named.type))
    throw new AppError(403, 'ScopeMissing', { scope: missingOf(user.grant, named.type) })
  if (!(await isOf(services.db, project.id, named, user.grant))) throw new ForbiddenError()
  return sign(services, tokenSeconds.channel, { sub: subjectOf(project.id, user), holder: holderOf(user), channel })
}

/**
 * Signs the tokens of an overlay, which has a chat key and no account. Centrifugo refuses a connection whose token
 * names a channel, and a subscription whose subject is not the connection's.
 * @param channel its name on the wire; the caller has checked that it is the project's
 */
export function signOverlay(
  services: TokenServices,
  { projectId, keyId }: { readonly projectId: number; readonly keyId: number },
  channel: string,
): { readonly connection: string; readonly subscription: string } {
  // Not the project's number: `project#7` is open to the connections of `7`.
  const sub = `overlay-${projectId}`
  const holder = { key_id: keyId }
  return {
    connection: sign(services, tokenSeconds.connection, { sub, holder }),
    subscription: sign(services, tokenSeconds.channel, { sub, holder, channel }),
  }
}

/** Returns whether a channel belongs to a project, and to the widget of the caller. */
async function isOf(db: ReadDb, projectId: number, { type, id }: Channel, grant: Grant | null): Promise<boolean> {
  if (type.startsWith('broadcast')) return (await findBroadcast(db, projectId, id)) !== undefined
  if (type === 'media_file') return (await findMedia(db, projectId, id)) !== undefined
  if (type !== 'widget_template') return id === projectId
  return (grant?.widgetId ?? id) === id && (await findWidget(db, id))?.project_id === projectId
}

const missingOf = (grant: Grant | null, type: ChannelType): string =>
  scopesOf[type].find((scope) => !scopesAllow(grant?.scopes ?? [], scope)) ?? ''

/** The number of the project opens `project#7` without a further token, so a grant without that channel has another subject. */
const subjectOf = (projectId: number, { grant }: User): string =>
  mayHear(grant, 'project') ? String(projectId) : `grant-${projectId}`

const holderOf = (user: User): Holder => ({ user_id: user.id, session_id: user.sessionId })

function sign(
  { config, clock }: TokenServices,
  seconds: number,
  { sub, holder: meta, channel }: { readonly sub: string; readonly holder: Holder; readonly channel?: string },
): string {
  const now = Math.floor(clock.now().getTime() / 1000)
  const claims = { ...(channel !== undefined && { channel }), meta }
  const life = config.centrifugo.url === null && { expire_at: now + lifeSeconds }
  return jwtFor(config).sign({ ...claims, ...life, sub, iat: now, exp: now + seconds })
}

/**
 * Reads a token.
 * @returns null for a forged or malformed token. The caller checks `exp`
 */
export function readRealtimeToken(config: Settings, token: string): RealtimeClaims | null {
  const claims = jwtFor(config).verify(token)
  if (!claims) return null
  // Callers compare the end with the clock of the service.
  const { sub, exp, channel, expire_at, meta } = claims
  if (typeof sub !== 'string' || typeof exp !== 'number') return null
  return {
    sub,
    exp,
    channel: typeof channel === 'string' ? channel : null,
    expireAt: typeof expire_at === 'number' ? expire_at : exp,
    holder: isHolder(meta) ? meta : null,
  }
}

const isHolder = (meta: unknown): meta is Holder =>
  typeof meta === 'object' && meta !== null && (('user_id' in meta && 'session_id' in meta) || 'key_id' in meta)

function jwtFor(config: Settings): Jwt {
  const { tokenSecret } = config.centrifugo
  const made =
    jwts.get(config) ?? jwtOf(tokenSecret === '' ? derivedKey(config.secret, 'realtime') : Buffer.from(tokenSecret))
  jwts.set(config, made)
  return made
}
