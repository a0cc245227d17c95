// docs/configuration.md lists every variable with its default, and errors name the invalid variable.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ConfigError } from '#server/core/variables.ts'
import { readConfig, variables } from './config.ts'

const document = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
const rows = document.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))

test.each(Object.entries(variables))('docs/configuration.md describes %s', (name, { unset, about }) => {
  const row = rows.find(([, first]) => first === `\`${name}\``)
  expect(row?.slice(2, 4)).toEqual([unset === '' ? '' : `\`${unset}\``, about])
})

test('reads an empty environment', () => {
  expect(readConfig({})).toMatchObject({ PORT: 8080, HOST: '127.0.0.1', SIGN_UP: 'auto', ACCESS_TTL: 600 })
})

test('a mail server requires PUBLIC_URL', () => {
  const mail = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'relaydeck@example.com' }
  expect(() => readConfig(mail)).toThrow(/^PUBLIC_URL must be set when SMTP_URL and MAIL_FROM are/)
  expect(readConfig({ ...mail, PUBLIC_URL: 'https://live.example.com' }).PUBLIC_URL).toBe('https://live.example.com')
})

test.each([
  ['PORT', '80 80'],
  ['PORT', '99999'],
  ['PUBLIC_URL', 'live.example.com'],
  ['TRUST_PROXY', 'nonsense'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['SIGN_UP', 'sometimes'],
  ['ACCESS_TTL', '0'],
  ['RATE_LIMITS', 'maybe'],
])('%s=%s is refused by name and value', (name, value) => {
  const read = () => readConfig({ [name]: value })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(new RegExp(`^${name} is not valid, got "${value}"\\. `))
})

test.each(['SECRET', 'METRICS_TOKEN', 'SMTP_URL', 'DATABASE_URL'])('a %s that is refused is not repeated', (name) => {
  const read = () => readConfig({ [name]: 'x://hunter2' })
  expect(read).toThrow(new RegExp(`^${name} is not valid\\. (?!.*hunter2)`))
})
