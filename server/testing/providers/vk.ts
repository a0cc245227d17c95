// Test double of sign-in by VK and VK ID: each code is valid once, with the PKCE verifier of its sign-in.
import { hash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface VkDouble {
  /** Value for `PROVIDER_BASES`. */
  readonly base: string
  /** User that accepts next. */
  person: { readonly id: number; readonly firstName: string; readonly lastName: string }
  /** Accepts. @returns the redirect address */
  answer(url: string): URL
  close(): Promise<void>
}

/** Starts the double. It accepts any client. */
export async function vkDouble(): Promise<VkDouble> {
  const codes = new Map<string, string>()
  let count = 0
  const server = createServer((request, response) => {
    void formOf(request).then((form) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answerOf(new URL(request.url ?? '/', double.base).pathname, form)))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const double: VkDouble = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    person: { id: 4711, firstName: 'Вера', lastName: 'Иванова' },
    answer(url) {
      const asked = new URL(url).searchParams
      const code = `code-${count++}`
      codes.set(code, asked.get('code_challenge') ?? '')
      const back = new URL(asked.get('redirect_uri') ?? '')
      const answer = { code, state: asked.get('state') ?? '', device_id: 'device-1' }
      for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value)
      return back
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }

  function answerOf(path: string, form: URLSearchParams): unknown {
    const { id, firstName, lastName } = double.person
    const name = { first_name: firstName, last_name: lastName }
    const isVkId = path.startsWith('/id.vk.com')
    if (path === '/id.vk.com/oauth2/auth' || path === '/oauth.vk.com/access_token') {
      const challenge = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const proved = challenge === hash('sha256', form.get('code_verifier') ?? '', 'base64url')
      const carried = !isVkId || (form.get('device_id') === 'device-1' && form.has('state'))
      if (!proved || !carried) return { error: 'invalid_grant' }
      return { access_token: `token-${id}`, expires_in: isVkId ? 3600 : 0, user_id: id }
    }
    if (form.get('access_token') !== `token-${id}`) return { error: 'invalid_token' }
    if (path === '/id.vk.com/oauth2/user_info') {
      return { user: { user_id: String(id), ...name, avatar: 'https://sun1.userapi.com/a.jpg' } }
    }
    return { response: [{ id, ...name, photo_100: 'https://sun1.userapi.com/a.jpg' }] }
  }
  return double
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return new URLSearchParams(text)
}
