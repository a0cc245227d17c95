// Token endpoints as providers really speak: what they send in another way than RFC 6749 is put right before the OAuth
// client looks at it.
import type { CustomFetch } from 'openid-client'
import type { ProviderName, Settings } from '#server/core/settings.ts'
import { callProvider } from '#server/core/provider-http.ts'
import { oauthProviders } from './oauth-table.ts'

/** The `fetch` of the OAuth client for one provider. */
export function tokenFetch(settings: Settings, name: ProviderName): CustomFetch {
  return async function fetchTokens(_, { body, headers, method }) {
    // The client sends forms and nothing else.
    const fields = new URLSearchParams(body as URLSearchParams)
    const { token, refresh = token, json, openid } = oauthProviders[name]
    const url = fields.get('grant_type') === 'refresh_token' ? refresh : token
    const init = json ? jsonRequest(fields) : { method, headers, body: fields }
    const answer = await callProvider(settings, name, url, init)
    const read = firstOf(parse(answer.text))
    // VK and OK say what went wrong with a 200.
    const status = answer.status === 200 && read['error'] !== undefined ? 400 : answer.status
    return Response.json(openid ? conform(read) : conform({ ...read, id_token: null }), { status })
  }
}

/** Trovo: the client's id is a header, the rest is JSON. */
function jsonRequest(fields: URLSearchParams): RequestInit {
  const { client_id: id = '', ...rest } = Object.fromEntries(fields)
  const headers = { accept: 'application/json', 'content-type': 'application/json', 'client-id': id }
  return { method: 'POST', headers, body: JSON.stringify(rest) }
}

type Fields = Readonly<Record<string, unknown>>

function parse(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : {}
  } catch {
    return {}
  }
}

/** VK answers with a list when a community was asked for. */
function firstOf(read: Fields): Fields {
  const [group] = Array.isArray(read['groups']) ? (read['groups'] as Fields[]) : []
  return group && read['access_token'] === undefined ? { ...read, access_token: group['access_token'] } : read
}

/** What the standard says a token answer looks like, from whatever came. */
function conform({ token_type: _, expires_in: life, scope, id_token: idToken, ...rest }: Fields): Fields {
  const seconds = Number(life)
  return {
    ...rest,
    // `session` (OK), `OAuth` (Trovo), nothing (VK): who gets it knows how to show it.
    token_type: 'bearer',
    // VK says 0 for one that does not end; others send digits as text.
    ...(Number.isFinite(seconds) && seconds > 0 ? { expires_in: seconds } : {}),
    ...(Array.isArray(scope) ? { scope: scope.join(' ') } : typeof scope === 'string' ? { scope } : {}),
    ...(typeof idToken === 'string' ? { id_token: idToken } : {}),
  }
}
