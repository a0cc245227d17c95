// What the operator is told: the README lists every variable with its default, and a wrong value is named.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ConfigError } from '#server/core/variables.ts'
import { readConfig, variables } from './config.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const rows = readme.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))

test.each(Object.entries(variables))('the README says what %s does', (name, { unset, about }) => {
  const row = rows.find(([, first]) => first === `\`${name}\``)
  expect(row?.slice(2, 4)).toEqual([unset === '' ? '' : `\`${unset}\``, about])
})

test('nothing has to be set', () => {
  expect(readConfig({})).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', SIGN_UP: 'auto', ACCESS_TTL: 600 })
})

test.each([
  ['PORT', '80 80'],
  ['PORT', '99999'],
  ['PUBLIC_URL', 'live.example.com'],
  ['SECRET', 'short'],
  ['SIGN_UP', 'sometimes'],
  ['ACCESS_TTL', '0'],
  ['RATE_LIMITS', 'maybe'],
])('%s=%s is refused by name, and the value is not repeated', (name, value) => {
  const read = () => readConfig({ [name]: value })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(new RegExp(`^${name} `))
})
