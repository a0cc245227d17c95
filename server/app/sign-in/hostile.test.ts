// Malformed and hostile forms of the sign-in pages.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type World } from '#server/testing/test-app.ts'

let world: World
beforeAll(async () => {
  world = await testApp()
})
afterAll(() => world.close())

const headers = { host: 'localhost' }
async function browser(kind = 'sign-in') {
  const opened = await world.app.inject({ url: `/auth/local/${kind}`, headers })
  const cookie = [opened.headers['set-cookie']].flat().join().split(';', 1)[0] ?? ''
  return { cookie, csrf: /name="csrf" value="([^"]+)"/.exec(opened.body)?.[1] ?? '' }
}
const post = async (url: string, type: string, payload: string, cookie: string) =>
  world.app.inject({ method: 'POST', url, headers: { ...headers, cookie, 'content-type': type }, payload })

const assertion = (id: string, clientDataJSON = 'e30') =>
  JSON.stringify({
    id,
    rawId: id,
    type: 'public-key',
    response: { clientDataJSON, authenticatorData: 'AA', signature: 'AA' },
  })

test.each(['a\0b', '\ud800', "'; drop table users; --", '%', 'a'.repeat(1500)])(
  'refuses a passkey with the id %j',
  async (id) => {
    const { cookie, csrf } = await browser()
    const payload = new URLSearchParams({ csrf, passkey: assertion(id) }).toString()
    const reply = await post('/auth/local/sign-in', 'application/x-www-form-urlencoded', payload, cookie)
    expect(reply.statusCode).toBe(422)
  },
)

test.each(['sign-in', 'sign-up', 'second', 'recover', 'confirm', 'forgot', 'sign-in/passkey', 'second/passkey'])(
  'the page %s answers malformed bodies with a refusal',
  async (kind) => {
    const { cookie } = await browser()
    for (const [type, payload] of [
      ['application/json', '5'],
      ['application/json', '[]'],
      ['application/json', '"text"'],
      ['application/json', 'null'],
      ['application/json', '{"__proto__":{"csrf":1}}'],
      ['application/x-www-form-urlencoded', 'csrf=a&csrf=b&code[]=1&email=%00&state=%00&redirect=%00'],
      ['application/x-www-form-urlencoded', '%%%'],
      ['application/x-www-form-urlencoded', `factor=${'9'.repeat(100_000)}`],
      ['text/plain', 'hello'],
    ] as const) {
      const reply = await post(`/auth/local/${kind}`, type, payload, cookie)
      expect(reply.statusCode, `${type} ${payload.slice(0, 20)}`).toBeLessThan(500)
      expect(reply.statusCode, `${type} ${payload.slice(0, 20)}`).toBeGreaterThanOrEqual(400)
    }
  },
)
