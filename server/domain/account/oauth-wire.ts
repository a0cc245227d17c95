// Adapter for token endpoints: converts requests and responses that deviate from RFC 6749 for the OAuth client.
import type { CustomFetch } from 'openid-client'
import type { ProviderName, Settings } from '#server/core/settings.ts'
import { callProvider } from '#server/core/provider-http.ts'
import { oauthProviders } from './oauth-table.ts'

/** Returns the `fetch` of the OAuth client for one provider. */
export function tokenFetch(settings: Settings, name: ProviderName): CustomFetch {
  return async function fetchTokens(_, { body, headers, method }) {
    // The client sends only forms.
    const fields = new URLSearchParams(body as URLSearchParams)
    const { token, refresh = token, json, openid } = oauthProviders[name]
    const url = fields.get('grant_type') === 'refresh_token' ? refresh : token
    const init = json ? jsonRequest(fields) : { method, headers, body: fields }
    const answer = await callProvider(settings, name, url, init)
    const read = firstOf(parse(answer.text))
    // VK and OK send errors with status 200.
    const status = answer.status === 200 && read['error'] !== undefined ? 400 : answer.status
    return Response.json(openid ? conform(read) : conform({ ...read, id_token: null }), { status })
  }
}

/** Converts a form to the request of Trovo: the client id in a header, the rest as JSON. */
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

/** VK returns a list when a community token was requested. */
function firstOf(read: Fields): Fields {
  const [group] = Array.isArray(read['groups']) ? (read['groups'] as Fields[]) : []
  return group && read['access_token'] === undefined ? { ...read, access_token: group['access_token'] } : read
}

/** Converts a token response to the format of the standard. */
function conform({ token_type: _, expires_in: life, scope, id_token: idToken, ...rest }: Fields): Fields {
  const seconds = Number(life)
  return {
    ...rest,
    // `session` (OK), `OAuth` (Trovo), nothing (VK): callers know the scheme of their provider.
    token_type: 'bearer',
    // VK sends 0 for a token without expiry; others send digits as text.
    ...(Number.isFinite(seconds) && seconds > 0 ? { expires_in: seconds } : {}),
    ...(Array.isArray(scope) ? { scope: scope.join(' ') } : typeof scope === 'string' ? { scope } : {}),
    ...(typeof idToken === 'string' ? { id_token: idToken } : {}),
  }
}
