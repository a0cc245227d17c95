// Output of the first start, for the operator and for programs.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#server/testing/eventually.ts'
import { type ServiceProcess, serviceProcess } from '#server/testing/process.ts'
import { readable } from '#server/app/http/log-line.ts'

let service: ServiceProcess
beforeAll(() => {
  service = serviceProcess({ LOG_LEVEL: 'info' })
})
afterAll(() => service.close())

test('the link of the owner stands by itself, after a log that programs can read', async () => {
  const { url } = await service.start()
  await eventually(async () => service.printed().includes('?invite='))
  const lines = service.printed().split('\n')
  const first = lines.indexOf('')
  for (const line of lines.slice(0, first)) expect(JSON.parse(line)).toMatchObject({ level: 30 })
  const [, place, , what, , link = ''] = lines.slice(first)
  expect([place, what]).toEqual([`Relaydeck is at ${url}`, expect.stringMatching(/^This service has no account yet\./)])
  const invite = new URL(link.trim()).searchParams.get('invite') ?? ''
  const form = await fetch(`${url}/auth/local/sign-up?code=${invite}`)
  expect(await form.text()).toContain('You are the first user')
})

test('at a terminal an entry of the log is a short line', () => {
  const entry = { level: 30, time: Date.parse('2026-03-01T10:00:05Z'), pid: 7, hostname: 'studio' }
  const line = (more: object) => readable(JSON.stringify({ ...entry, ...more }))
  expect(line({ steps: 3, last: '0003-ledger', msg: 'Migrated' })).toBe(
    '10:00:05 Migrated steps=3 last="0003-ledger"\n',
  )
  const err = { name: 'Error', message: 'no', stack: 'Error: no\n    at here' }
  expect(line({ level: 50, err, id: 'a-1', msg: 'Failed' })).toBe(
    '10:00:05 (!) Failed id="a-1"\nError: no\n    at here\n',
  )
})
