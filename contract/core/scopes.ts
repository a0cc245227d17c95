// Scopes of API tokens: the part of a person's rights that a program receives. Sign-in sessions have no scopes.

/** Parts of the API that scopes name. */
export const scopeGroups = ['profile', 'project', 'channels', 'broadcasts', 'chat', 'billing', 'operator'] as const

/** Part of the API that scopes name. */
export type ScopeGroup = (typeof scopeGroups)[number]
type ReadOrWrite = `${ScopeGroup}:${'read' | 'write'}`

/**
 * Scope of a token. `<group>:write` includes `<group>:read`. `control` is for control surfaces: channels on and off, title, begin, pause,
 * stop and retry, and sending chat messages; no keys, money or members.
 */
export type Scope = ReadOrWrite | 'control'

/**
 * What an operation needs of a token. `<group>:control`: `control` or `<group>:write`. `any`: no scope. `session`: a sign-in; API
 * tokens are refused, whatever their scopes.
 */
export type NeededScope = ReadOrWrite | `${'channels' | 'broadcasts' | 'chat'}:control` | 'any' | 'session'

/** All scopes, in the order in which lists show them. */
export const scopes = [
  ...scopeGroups.flatMap((group) => [`${group}:read`, `${group}:write`] as const),
  'control',
] as const satisfies readonly Scope[]

/** Scopes that third-party apps can request: none of operators. */
export const appScopes: readonly Scope[] = scopes.filter((scope) => !scope.startsWith('operator:'))

/** Returns the scopes that allow what needs this one, the smallest first. Empty where none is needed or none is enough. */
export function scopesFor(needed: NeededScope): readonly Scope[] {
  if (needed === 'any' || needed === 'session') return []
  const [group, kind] = needed.split(':') as [ScopeGroup, 'read' | 'write' | 'control']
  const most: Scope = `${group}:write`
  if (kind === 'write') return [most]
  return [kind === 'read' ? `${group}:read` : 'control', most]
}

/** Returns whether a token with these scopes may do what needs this one. */
export const scopesAllow = (granted: readonly Scope[], needed: NeededScope): boolean =>
  needed === 'any' || scopesFor(needed).some((scope) => granted.includes(scope))
