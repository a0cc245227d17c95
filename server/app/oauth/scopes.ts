// Scopes of requests: ours, those of OpenID Connect, and the published names of StreamVi.
import { appScopes, type Scope } from '#contract/core/scopes.ts'

/** Scopes of OpenID Connect that the server knows. */
export const identityScopes = ['openid', 'profile', 'email', 'offline_access'] as const

/** Published names and ours; several may mean one of ours. Names of operations that are not served map to nothing. */
const published: Readonly<Record<string, Scope>> = {
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
  'platform:read': 'channels:read',
  'platform:write': 'channels:write',
  'project-access:write': 'project:write',
  'project-access:leave': 'project:write',
  'project-access:delete': 'project:write',
  'project-invite:read': 'project:read',
  'project-invite:write': 'project:write',
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
        .map((scope) => published[scope] ?? scope),
    ),
  ].join(' ')

/** Returns the scopes of a request that a token can have. */
export const grantable = (text: string): Scope[] => appScopes.filter((scope) => text.split(' ').includes(scope))
