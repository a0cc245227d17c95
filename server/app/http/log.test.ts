// Log lines, and secrets that must not appear in them.
import { expect, test } from 'vitest'
import { createLog } from './log.ts'

/** Logs one entry and reads it back. */
function logged(entry: object): Record<string, unknown> {
  const lines: string[] = []
  createLog('info', { write: (line) => void lines.push(line) }).error(entry, 'Failed')
  return JSON.parse(lines.join('')) as Record<string, unknown>
}

test('keeps the code of an error and of its cause', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const err = Object.assign(new Error('The mail server cannot be reached', { cause }), { code: 'ESOCKET' })
  expect(logged({ err })).toMatchObject({
    err: { message: err.message, code: 'ESOCKET', cause: { message: cause.message, code: 'ECONNREFUSED' } },
  })
})

test('redacts codes of sign-in, passwords and tokens at any place', () => {
  const secrets = { code: 's3cret', password: 's3cret', refreshToken: 's3cret', authorization: 's3cret' }
  expect(JSON.stringify(logged({ form: secrets, ...secrets }))).not.toContain('s3cret')
})
