// Token families of the upstream: access tokens, and refresh tokens that rotate.
export interface Pair {
  accessToken: string
  refreshToken: string
}

interface Family {
  owner: string
  isRevoked: boolean
  generation: number
  pair: Pair
  /** The previous refresh token, and the time of its use. */
  before: { refreshToken: string; usedAt: number } | null
}

const replayMs = 120_000

const tokenOf = (authorization = ''): string => authorization.replace(/^oauth /, '')

/** Creates an empty set of sessions. `state` has the mode of rotation and the counter of reuses. */
export function createTokens(state: { readonly mode: 'strict' | 'replay'; reuses: number }) {
  const access = new Map<string, { family: Family; isDead: boolean }>()
  const refresh = new Map<string, { family: Family }>()
  const families: Family[] = []
  let minted = 0

  const mint = (family: Family): Pair => {
    const id = `${family.owner}-${family.generation}-${++minted}-${Math.random().toString(36).slice(2)}`
    family.pair = { accessToken: `access-${id}`, refreshToken: `refresh-${id}` }
    access.set(family.pair.accessToken, { family, isDead: false })
    refresh.set(family.pair.refreshToken, { family })
    return family.pair
  }

  return {
    /** Starts a session of this owner. */
    signIn(owner = 'ann'): Pair {
      const family: Family = {
        owner,
        isRevoked: false,
        generation: 1,
        pair: { accessToken: '', refreshToken: '' },
        before: null,
      }
      families.push(family)
      return mint(family)
    },
    /** Expires all access tokens; refresh tokens stay valid. */
    expire() {
      for (const token of access.values()) token.isDead = true
    },
    /** Exchanges a refresh token. Reuse revokes its family, except within the replay window of mode `replay`. */
    rotate(token: string): Pair | null {
      const family = refresh.get(token)?.family
      if (!family || family.isRevoked) return null
      if (family.pair.refreshToken === token) {
        family.before = { refreshToken: token, usedAt: Date.now() }
        family.generation++
        return mint(family)
      }
      state.reuses++
      const isPrevious = family.before?.refreshToken === token && Date.now() - family.before.usedAt < replayMs
      if (state.mode === 'replay' && isPrevious) return family.pair
      family.isRevoked = true
      return null
    },
    /** Returns the owner of a valid access token; null if the token is unknown, expired or revoked. */
    ownerOf(authorization?: string): string | null {
      const known = access.get(tokenOf(authorization))
      return !known || known.isDead || known.family.isRevoked ? null : known.family.owner
    },
    isExpired: (authorization?: string): boolean => access.get(tokenOf(authorization))?.isDead ?? false,
    /** Returns the current pair of the latest session. */
    current: () => families.at(-1)?.pair,
  }
}
