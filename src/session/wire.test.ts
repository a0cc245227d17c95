// Parsers and checks of values on the wire. T numbers: docs/session.md.
import { expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { languages } from '#contract/core/codes.ts'
import { logoutPath, refreshPath } from './refresh-call.ts'
import { safeReturnTo } from './return-to.ts'
import { createAuthSession } from './session.ts'
import type { AuthSessionConfig } from './types.ts'
import { baseUrlOf, isToken, jwtLifetimeMs, retryAfterMs } from './wire.ts'

test("uses the contract's paths for refresh and sign-out", () => {
  expect([refreshPath, logoutPath]).toEqual([auth.refreshAccess.path, auth.logout.path])
  expect(auth.logout.carries).toEqual([])
})

test.each([
  ['https://h', 'https://h/method'],
  ['https://h/', 'https://h/method'],
  ['https://h/api/v1', 'https://h/api/v1/method'],
  ['https://h/api/v1/', 'https://h/api/v1/method'],
  ['https://h:8443/', 'https://h:8443/method'],
  ['http://[::1]:80/x', 'http://[::1]/x/method'],
  ['https://h/a%20b/', 'https://h/a%20b/method'],
])('T62 %s keeps its prefix, with one slash', (base, url) => {
  expect(`${baseUrlOf(base)}/method`).toBe(url)
})

test.each(['https://h?x=1', 'https://h/#x', 'https://h/?', 'ftp://h', 'data:1', 'https://u:p@h', 'nothing'])(
  'T62 %s is no base URL',
  (base) => {
    expect(() => baseUrlOf(base)).toThrow(TypeError)
  },
)

const config: AuthSessionConfig = { baseUrl: 'http://h', apiVersion: '1', language: 'en', app: 'site' }
test.each([{ apiVersion: '5' }, { language: 'zh-CN' }, { app: 'web' }, { baseUrl: 'http://h?x' }])(
  'T70 %j is refused when the session is made',
  (wrong) => {
    expect(() => createAuthSession({ ...config, ...(wrong as Partial<AuthSessionConfig>) })).toThrow(TypeError)
  },
)

test('T70 accepts every language of the contract', () => {
  for (const language of languages) expect(() => createAuthSession({ ...config, language })).not.toThrow()
})

test('T15 accepts tokens that a header carries unchanged', () => {
  for (const good of ['a', 'a.b-c_d=', 'a b', 'a\tb', 'é', 'x'.repeat(20_000)]) expect(isToken(good)).toBe(true)
  for (const bad of ['', ' a', 'a ', '\ta', 'a\n', 'a\u0000', 'a\u007F', '漢', '\u0100', null, 7, {}])
    expect(isToken(bad)).toBe(false)
})

test("T21 reads Retry-After as seconds, as a date by the server's clock, or as nothing", () => {
  const now = Date.UTC(2026, 0, 1)
  const read = (value?: string, date?: string) =>
    retryAfterMs(
      new Headers({ ...(value === undefined ? {} : { 'retry-after': value }), ...(date ? { date } : {}) }),
      now,
      300_000,
    )
  expect([read('2'), read('0'), read('86400')]).toEqual([2000, 0, 300_000])
  expect([read(), read('banana'), read('-5'), read('1.5')]).toEqual([null, null, null, null])
  // The server's day differs from the local one.
  expect(read('Wed, 01 Mar 2028 00:00:30 GMT', 'Wed, 01 Mar 2028 00:00:00 GMT')).toBe(30_000)
  expect(read(new Date(now - 5000).toUTCString())).toBe(0)
})

test('T50 computes the lifetime of a JWT from its own two times', () => {
  const jwt = (payload: unknown) => `x.${btoa(JSON.stringify(payload)).replaceAll('=', '')}.y`
  expect(jwtLifetimeMs(jwt({ iat: 1000, exp: 1600 }))).toBe(600_000)
  for (const other of ['opaque', 'a.b.c', jwt({ exp: 5 }), jwt({ iat: 9, exp: 5 }), jwt(null), '..']) {
    expect(jwtLifetimeMs(other)).toBeNull()
  }
})

test('T57 accepts only a path of this origin as a return path', () => {
  for (const good of ['/', '/p/7/tariffs?tab=1#x']) expect(safeReturnTo(good)).toBe(good)
  for (const bad of [
    '//evil',
    '/\\evil',
    'https://evil',
    `${'javascript'}:alert(1)`,
    '/\t/evil',
    '/..//evil',
    '',
    null,
    'p/7',
  ]) {
    expect(safeReturnTo(bad, '/home')).toBe('/home')
  }
})
