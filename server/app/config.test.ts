// docs/configuration.md lists every variable with its default, and errors name the invalid variable.
import { expect, test } from 'vitest'
import { ConfigError } from '#server/core/variables.ts'
import { allSettings, readConfig } from './settings.ts'

test('settings have names of their own, and variables one declaration each', () => {
  const names = allSettings.map(([name]) => name)
  expect(names.length).toBeGreaterThan(50)
  expect(new Set(names).size).toBe(names.length)
  const declared = new Map(allSettings.flatMap(([, { variables }]) => Object.entries(variables)))
  for (const [, { variables }] of allSettings)
    for (const [name, variable] of Object.entries(variables)) expect(declared.get(name), name).toBe(variable)
})

test('reads an empty environment', () => {
  expect(readConfig({})).toMatchObject({ port: 8080, host: '127.0.0.1', signUp: 'auto', accessSeconds: 600 })
})

test('a mail server requires PUBLIC_URL', () => {
  const mail = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'relaydeck@example.com' }
  expect(() => readConfig(mail)).toThrow(/^PUBLIC_URL must be set when SMTP_URL and MAIL_FROM are/)
  expect(readConfig({ ...mail, PUBLIC_URL: 'https://live.example.com' }).publicUrl).toBe('https://live.example.com')
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
  ['MEDIA_DIR', '/proc/none'],
  ['MEDIA_DIR', '/tmp/../sys'],
])('%s=%s is refused by name and value', (name, value) => {
  const read = () => readConfig({ [name]: value })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(new RegExp(`^${name} is not valid, got "${value}"\\. `))
})

test.each(['SECRET', 'METRICS_TOKEN', 'SMTP_URL', 'DATABASE_URL'])('a %s that is refused is not repeated', (name) => {
  const read = () => readConfig({ [name]: 'x://hunter2' })
  expect(read).toThrow(new RegExp(`^${name} is not valid\\. (?!.*hunter2)`))
})
