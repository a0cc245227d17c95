// Server with rotating tokens and scripted responses.
import type { TokenPair } from '#src/session/types.ts'

/** A scripted response. Without a status the request is processed as usual. */
export interface Said {
  readonly status?: number
  readonly body?: string
  readonly headers?: Record<string, string>
  /** The connection breaks after the request was processed. */
  readonly lost?: boolean
  readonly never?: boolean
  /** Delays before and after processing, ms. */
  readonly hold?: number
  readonly delay?: number
}

export interface Sent {
  readonly path: string
  readonly token: string
  readonly tab: number
  readonly at: number
}

const json = (value: unknown) => JSON.stringify(value)

/** Creates a server. `strict` refuses a second use of a refresh token, `replay` repeats its last response. */
export function createFakeServer(mode: 'strict' | 'replay' = 'strict') {
  const alive = new Set<string>()
  const families = new Map<string, { pair: TokenPair; before: string; isRevoked: boolean }>()
  /** Owner of the token. */
  const owners = new Map<string, string>()
  let count = 0

  const server = {
    mode,
    owners,
    refreshCalls: 0,
    reuses: 0,
    /** Bodies of the refresh calls. */
    bodies: [] as Record<string, string>[],
    logouts: [] as string[],
    sends: [] as Sent[],
    /** Next responses of the refresh call, and then all later ones. */
    said: [] as Said[],
    always: undefined as Said | undefined,
    /** Responses of operations, by path. */
    operations: {} as Record<string, () => Said>,

    expire: () => alive.clear(),

    mint(owner = 'ann'): TokenPair {
      const id = ++count
      const pair = { accessToken: `access-${owner}-${id}`, refreshToken: `refresh-${owner}-${id}` }
      families.set(owner, { pair, before: families.get(owner)?.pair.refreshToken ?? '', isRevoked: false })
      alive.add(pair.accessToken)
      owners.set(pair.accessToken, owner).set(pair.refreshToken, owner)
      return pair
    },

    refresh(body: Record<string, string>, said: Said): Said {
      server.refreshCalls++
      server.bodies.push(body)
      if (said.status !== undefined) return said
      const pair = rotate(body['refresh'] ?? '')
      return { ...said, status: pair ? 200 : 400, body: json(pair ?? { error: { name: 'BadRefresh' } }) }
    },

    operation(path: string, token: string, body: Record<string, string>): Said {
      if (path === '/method/auth/logout') server.logouts.push(body['refresh'] ?? '')
      const status = path === '/method/auth/logout' || alive.has(token) ? 200 : 401
      return { status, body: '{}', ...server.operations[path]?.() }
    },
  }

  function rotate(token: string): TokenPair | null {
    const owner = owners.get(token) ?? ''
    const family = families.get(owner)
    if (!family || family.isRevoked) return null
    if (family.pair.refreshToken === token) return server.mint(owner)
    server.reuses++
    if (server.mode === 'replay' && family.before === token) return family.pair
    family.isRevoked = true
    return null
  }

  return server
}

export type FakeServer = ReturnType<typeof createFakeServer>
