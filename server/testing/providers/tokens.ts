// Token endpoints of the platform doubles.
import { type DoublePlatform, DoubleReply } from './double.ts'

/** Common token endpoint: `access-2` for `refresh-1`, and so on; each refresh token is valid once. */
export function tokenRoutes(
  token: string,
  revoke: string,
  more: object = {},
  basic = false,
): Record<string, DoublePlatform['routes'][string]> {
  return {
    [`POST ${token}`]: {
      type: 'form',
      open: true,
      body: ['grant_type', ...(basic ? ['redirect_uri'] : ['client_id', 'client_secret'])],
      answer: ({ body, headers, used }) => {
        const known = basic ? headers.authorization?.startsWith('Basic ') : body['client_secret'] !== ''
        const turn = body['grant_type'] === 'refresh_token' ? Number(String(body['refresh_token']).split('-')[1]) : 0
        if (!known || Number.isNaN(turn) || (turn > 0 && used.has(turn))) {
          return new DoubleReply(400, { error: 'invalid_grant', status: 400, message: 'Invalid refresh token' })
        }
        used.add(turn)
        return pairOf(turn + 1, more)
      },
    },
    ...(revoke === ''
      ? {}
      : { [`POST ${revoke}`]: { type: 'form', open: true, body: ['token'], answer: () => ({}) } as const }),
  }
}

const pairOf = (turn: number, more: object) => ({
  access_token: `access-${turn}`,
  refresh_token: `refresh-${turn}`,
  expires_in: 3600,
  token_type: 'bearer',
  ...more,
})

/** Token endpoint with JSON bodies, the client in a header, and one path per grant type. */
export function trovoTokens(): Record<string, DoublePlatform['routes'][string]> {
  const base = 'POST open-api.trovo.live/openplatform'
  const answer = (turn: number) => ({ ...pairOf(turn, {}), token_type: 'OAuth' })
  return {
    [`${base}/exchangetoken`]: {
      open: true,
      body: ['client_secret', 'grant_type', 'code', 'redirect_uri'],
      answer: ({ headers }) => (headers['client-id'] === 'trovo-id' ? answer(1) : new DoubleReply(400, {})),
    },
    [`${base}/refreshtoken`]: {
      open: true,
      body: ['client_secret', 'grant_type', 'refresh_token'],
      answer: () => answer(2),
    },
    [`${base}/revoke`]: { open: true, body: ['access_token'], answer: () => ({}) },
  }
}
