import { expect, test } from 'vitest'
import { auth } from '#contract/areas/account/auth.ts'
import { profile } from '#contract/areas/account/profile.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { operations } from '#contract/index.ts'
import { curlOf } from './curl.ts'

const base = 'https://relay.example'

test('puts parameters of a read in the URL and a placeholder for the token', () => {
  expect(curlOf(restream.slots, base, { project_id: 7, language: 'ru' }).split('\n')).toEqual([
    "curl 'https://relay.example/method/plan_restream?v=1&language=ru&project_id=7' \\",
    "  -H 'Authorization: oauth <ACCESS_TOKEN>'",
  ])
})

test('names the method of a write with query parameters', () => {
  expect(curlOf(restream.buy, base)).toContain("curl -X POST 'https://relay.example/method/plan_restream?v=1&")
  expect(curlOf(restream.cancelNext, base)).toContain('curl -X DELETE')
})

test('sends a JSON body, without a token for a public operation', () => {
  expect(curlOf(auth.refreshAccess, base).split('\n')).toEqual([
    "curl 'https://relay.example/method/auth/refresh-access' \\",
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"v":"1","language":"en","app":"site","refresh":"<REFRESH>"}'`,
  ])
})

test('sends one form part per field', () => {
  expect(curlOf(profile.update, base)).toContain("-F 'first_name=<FIRST_NAME>'")
})

test('escapes quotes in values', () => {
  expect(curlOf(auth.guest, base, { refId: "a'b" })).toContain('a%27b'.replace('%27', String.raw`'\''`))
})

test('returns a command for every operation', () => {
  for (const op of operations) expect(curlOf(op, base)).toMatch(/^curl (-X \w+ )?'https:\/\/relay\.example\/method\//)
})
