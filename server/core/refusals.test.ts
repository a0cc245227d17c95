// Refusals in the language of the call: every error of the service has a text in each language, with its values.
import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { profile } from '#contract/areas/account/profile.ts'
import { languages } from '#contract/core/codes.ts'
import { ErrorBody, type Language } from '#contract/core/wire.ts'
import { type Person, testApp, type World } from '#server/testing/test-app.ts'
import { type RefusalKey, refusalText } from './refusals.ts'

let world: World
let ann: Person
beforeAll(async () => {
  world = await testApp()
  ann = await world.user()
})
afterAll(() => world.close())

async function refusalOf(call: { readonly url: string; readonly method?: 'POST'; readonly payload?: object }) {
  const headers = { authorization: `oauth ${ann.accessToken}` }
  return ErrorBody.parse((await world.app.inject({ method: 'GET', ...call, headers })).json()).error
}

test('answers a refusal in the language of the query, and in English without one', async () => {
  const url = '/method/plan_restream?project_id=2000000000'
  const messages = await Promise.all(['', '&language=ru', '&language=cn'].map((more) => refusalOf({ url: url + more })))
  expect(messages.map(({ name }) => name)).toEqual(['Forbidden', 'Forbidden', 'Forbidden'])
  expect(messages.map(({ msg }) => msg)).toEqual([
    'You do not have permission, or it no longer exists.',
    'У вас нет прав, или этого больше не существует.',
    '您没有权限，或它已不存在。',
  ])
})

test('answers in the language of a JSON body, with sentences for each parameter', async () => {
  const read = (language: Language) =>
    refusalOf({ method: 'POST', url: auth.refreshAccess.path, payload: { language } })
  const [ru, cn] = [await read('ru'), await read('cn')]
  expect(ru.msg).toMatch(/^app нужно указать\. /)
  expect(cn.msg).toMatch(/^app 不能缺少。 /)
  expect(ru.validator_error).toContainEqual({ property: 'app', constraints: { required: 'нужно указать' } })
})

test('answers in the language of a form', async () => {
  const body = new FormData()
  for (const [name, value] of Object.entries({ v: '1', language: 'ru', first_name: 'Анна', last_name: '' }))
    body.append(name, value)
  body.append('avatar', new File(['no picture'], 'me.png', { type: 'image/png' }))
  const { url } = await world.app.listen()
  const headers = { authorization: `oauth ${ann.accessToken}` }
  const answer = await fetch(`${url}${profile.update.path}`, { method: profile.update.method, headers, body })
  expect(ErrorBody.parse(await answer.json()).error).toMatchObject({
    name: 'PictureFormat',
    msg: 'Изображение должно быть в формате JPEG или PNG.',
  })
})

/** Errors that the service makes, by their keys, and the arguments that follow. */
const made = globSync('server/**/*.ts', { exclude: (path) => path.endsWith('.test.ts') }).flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/new \w+Error\((?:\d+, )?'([A-Z]\w+)'([^;]*?)\)(?:\n|$|;| )/g)].map(
    ([, key = '', values = '']) => ({ file, key: key as RefusalKey, values }),
  ),
)

test('passes all values that a text needs', () => {
  expect(made.length).toBeGreaterThan(150)
  const missing = made.flatMap(({ file, key, values }) =>
    languages
      .flatMap((language) => [...refusalText(language, key, {}).matchAll(/\{\{(\w+)\}\}/g)])
      .filter(([, name = '']) => !new RegExp(`\\b${name}\\b|, data\\b`).test(values))
      .map(([place]) => `${file}: ${key} ${place}`),
  )
  expect(missing).toEqual([])
})
