// E-mails through a real mail server on the loopback interface.
import { afterEach, expect, test } from 'vitest'
import { mailServer } from '#server/testing/mail.ts'
import { testApp, type World } from '#server/testing/test-app.ts'
import { sendMail } from './mail.ts'

const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

async function newMailServer(about?: { readonly password: string }) {
  const server = await mailServer(about)
  opened.push(server.close)
  return server
}

async function serviceWith(env: Record<string, string>): Promise<World> {
  const world = await testApp(env)
  opened.push(() => world.close())
  return world
}
const from = 'Relaydeck <relaydeck@example.com>'
const PUBLIC_URL = 'https://live.example.com'

test('delivers an e-mail in any language to one address', async () => {
  const { got, port } = await newMailServer()
  const world = await serviceWith({
    PUBLIC_URL,
    SMTP_URL: `smtp://relay:pass%20word@127.0.0.1:${port}`,
    MAIL_FROM: from,
  })
  const mail = { subject: 'Приглашение\r\nBcc: eve@example.com', text: '你好' }
  expect(await sendMail(world.services, 'bob@example.com', () => mail)).toBe('sent')
  expect(got.map(({ to }) => to)).toEqual([['bob@example.com']])
  expect(got[0]?.text).toContain(`From: ${from}`)
  expect(got[0]?.text).not.toMatch(/^Bcc:/m)
  expect(Buffer.from(got[0]?.text.split('\r\n\r\n')[1] ?? '', 'base64').toString()).toContain('你好')
})

test('logs a failure without recipient, text and password', async () => {
  const { port } = await newMailServer({ password: 'another' })
  const open = await newMailServer()
  const refused = await serviceWith({ PUBLIC_URL, SMTP_URL: `smtp://relay:hunter2@127.0.0.1:${port}`, MAIL_FROM: from })
  const full = await serviceWith({
    PUBLIC_URL,
    SMTP_URL: `smtp://relay:pass%20word@127.0.0.1:${open.port}`,
    MAIL_FROM: from,
  })
  const nobody = await serviceWith({ PUBLIC_URL, SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: from })
  for (const { services, logged } of [refused, full, nobody]) {
    expect(await sendMail(services, 'full@example.com', () => ({ subject: 'Hi', text: 'The secret' }))).toBe('failed')
    expect(logged.join('')).toContain('could not be sent')
    expect(logged.join('')).not.toMatch(/full@|hunter2|The secret/)
  }
})

test('sends nothing without a mail server', async () => {
  const world = await serviceWith({})
  expect(await sendMail(world.services, 'bob@example.com', () => ({ subject: 'Hi', text: 'Hi' }))).toBe(
    'not-configured',
  )
})
