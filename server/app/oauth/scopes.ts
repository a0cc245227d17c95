// Scopes of requests: ours, those of OpenID Connect, and the published names of StreamVi.
import { appScopes, type Scope } from '#contract/core/scopes.ts'

/** Scopes of OpenID Connect that the server knows. */
export const identityScopes = ['openid', 'profile', 'email', 'offline_access'] as const

/**
 * Scopes of the published names: the least of ours that the operations of a name need. Names of operations that are not served map to
 * nothing.
 */
const published: Readonly<Record<string, Scope | readonly Scope[]>> = {
  'analytics:read': 'broadcasts:read',
  'broadcast:read': 'broadcasts:read',
  'broadcast:write': 'broadcasts:write',
  'channel:read': 'channels:read',
  'channel:write': 'channels:write',
  'channel:delete': 'channels:write',
  'channel-access:write': 'channels:write',
  'notification:read': 'profile:read',
  'notification:write': 'profile:write',
  'payout:read': 'billing:read',
  'payout:write': 'billing:write',
  // Accounts on platforms belong to the person.
  'platform:read': ['channels:read', 'profile:read'],
  'platform:write': ['channels:write', 'profile:write'],
  'project-access:write': 'project:write',
  'project-access:leave': 'project:write',
  'project-access:delete': 'project:write',
  'project-invite:read': 'project:read',
  'project-invite:write': 'project:write',
  // The answer has the stream key, and what shows a secret needs a scope of writes; the consent says so.
  'stream-keys:read': 'broadcasts:write',
  'stream-keys:write': 'broadcasts:write',
  'transcoding:read': 'broadcasts:read',
  'transcoding:write': 'broadcasts:write',
  'video:read': 'broadcasts:read',
  'video:write': 'broadcasts:write',
}

/** Returns the scopes of a request by our names. Unknown ones stay, for the server to ignore. */
export const ownScopes = (text: string): string =>
  [
    ...new Set(
      text
        .split(/\s+/)
        .filter(Boolean)
        .flatMap((scope) => published[scope] ?? scope),
    ),
  ].join(' ')

/** Returns the scopes of a request that a token can have. */
export const grantable = (text: string): Scope[] => appScopes.filter((scope) => text.split(' ').includes(scope))

/** Returns whether a grant with these scopes outlives its first token. */
export const isLasting = (text: string): boolean => text.split(' ').includes('offline_access')
