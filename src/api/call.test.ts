// Requests made from operation and input, and responses parsed to values or named errors.
import { expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { profile } from '#contract/areas/account/profile.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { HttpError, RateLimitError, SessionExpiredError, TimeoutError } from '#src/session/errors.ts'
import { AnswerError } from './answer-error.ts'
import { toApiError } from './api-error.ts'
import { call, parseAnswer, requestOf } from './call.ts'
import { keyOf, q, useWrite } from './query.ts'
import { configureApi } from './runtime.ts'

test('sends the two operations of the brief exactly as it describes them', () => {
  expect(requestOf(restream.slots, { project_id: 7 }, 'en')).toEqual({
    path: '/method/plan_restream?v=1&language=en&project_id=7',
    init: { method: 'GET' },
  })
  const refresh = requestOf(auth.refreshAccess, { app: 'site', refresh: 'r' }, 'ru')
  expect([refresh.path, refresh.init.method, refresh.init.body]).toEqual([
    '/method/auth/refresh-access',
    'POST',
    '{"v":"1","language":"ru","app":"site","refresh":"r"}',
  ])
})

test('sends version, body and parameters of each operation in their places', () => {
  const check = { project_id: 7, plan_restream_id: 2, period: 'month', channels: undefined } as const
  expect(requestOf(restream.check, check, 'cn').path).toBe(
    '/method/plan_restream/check?v=2&language=cn&project_id=7&plan_restream_id=2&period=month',
  )
  // Published: all parameters in the query, also of a POST and a DELETE.
  expect(requestOf(restream.buy, check, 'en')).toMatchObject({ init: { method: 'POST' } })
  expect(requestOf(restream.buy, check, 'en').init.body).toBeUndefined()
  expect(requestOf(auth.logout, { app: 'site', refresh: 'r' }, 'en').init.body).toBe('{"app":"site","refresh":"r"}')
  expect(requestOf(projects.list, { limit: 5 }, 'en').path).toBe('/method/project/list?v=1&language=en&limit=5')
  expect(requestOf(projects.list, { x: ['a b', 'c&d'] }, 'en').path).toMatch(/x=a\+b&x=c%26d$/)
  const form = requestOf(profile.update, { first_name: 'A', avatar: new Blob(['x']) }, 'en').init.body as FormData
  expect([...form.keys()]).toEqual(['v', 'language', 'first_name', 'avatar'])
})

test('names operation, path and body of a response that does not fit', () => {
  const answer = { success: 'yes' }
  let error: unknown
  try {
    parseAnswer(auth.logout, answer)
  } catch (caught) {
    error = caught
  }
  expect(error).toBeInstanceOf(AnswerError)
  expect(error).toMatchObject({ operation: 'account.auth.logout', path: 'success', answer })
  expect(toApiError(error)).toMatchObject({ kind: 'answer', name: 'AnswerError', isTransient: false })
  for (const wrong of [undefined, null, [], '<html>', 7])
    expect(() => parseAnswer(auth.logout, wrong)).toThrow(AnswerError)
})

test('sends the credentials, replay mode and language of the contract', async () => {
  const sent: unknown[] = []
  const client = {
    request: async (path: string, init: unknown) => {
      sent.push([path, init])
      return { status: 200, headers: new Headers(), body: { success: true } }
    },
  }
  let language: 'en' | 'ru' = 'en'
  configureApi({ baseUrl: 'http://h', realtimeUrl: 'ws://h', session: {} as never, client, language: () => language })
  expect(await call(auth.logout, { refresh: 'r' })).toEqual({ success: true })
  language = 'ru'
  await call(restream.cancelNext, { project_id: 1, plan_restream_id: 2 })
  expect(sent).toMatchObject([
    ['/method/auth/logout', { auth: 'none', replay: 'never' }],
    [
      '/method/plan_restream?v=1&language=ru&project_id=1&plan_restream_id=2',
      { method: 'DELETE', auth: 'required', replay: 'auto' },
    ],
  ])
  expect(keyOf(restream.slots, { project_id: 1 })).toEqual(['tariffs', 'restream', 'slots', { project_id: 1 }, 'ru'])
})

test('accepts only reads as queries and only writes as mutations, at compile time', () => {
  // @ts-expect-error `select` is a GET on the wire but a write
  expect(() => q(projects.select, { id: 1 })).not.toThrow()
  // @ts-expect-error a read is not a mutation
  expect(() => useWrite(projects.list)).toThrow(/./)
  // @ts-expect-error project_id is missing
  expect(() => q(restream.slots, {})).not.toThrow()
})

test('converts every failure to one shape', () => {
  const body = {
    error: {
      name: 'Validation',
      msg: 'Check the form',
      validator_error: [{ property: 'period', constraints: { isEnum: 'month or year', isString: 'a text' } }, {}],
      options: {},
      data: { quote: 5 },
    },
  }
  const headers = new Headers()
  expect(toApiError(new HttpError(400, headers, body))).toMatchObject({
    kind: 'refused',
    name: 'Validation',
    message: 'Check the form',
    fields: { period: ['month or year', 'a text'] },
    data: { quote: 5 },
    status: 400,
    isTransient: false,
  })
  // Another server may omit fields that this service always sends.
  const short = { error: { name: 'NotFound', msg: 'No such plan', validator_error: 'odd' } }
  expect(toApiError(new HttpError(400, headers, short))).toMatchObject({ kind: 'refused', name: 'NotFound', data: {} })
  expect(toApiError(new HttpError(502, headers, '<html>'))).toMatchObject({ kind: 'unknown', isTransient: true })
  expect(toApiError(Object.assign(new RateLimitError(429, headers, {}), { retryAfterMs: 2000 }))).toMatchObject({
    kind: 'rate_limited',
    retryAfterMs: 2000,
  })
  expect(toApiError(new TimeoutError('late'))).toMatchObject({ kind: 'timeout', isTransient: true })
  expect(toApiError(new SessionExpiredError('over'))).toMatchObject({ kind: 'session', isTransient: false })
  expect(toApiError('odd')).toMatchObject({ kind: 'unknown', message: 'odd' })
})
