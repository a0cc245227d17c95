import { expect, test } from 'vitest'
import { inviteMail } from './invite-mail.ts'

const url = 'https://live.example.com/invite#secret'
const until = '2026-03-08T10:00:00.000Z'

test('names sender, project and expiry, and has the link once, in each language', () => {
  for (const language of ['en', 'ru', 'cn'] as const) {
    const { subject, text } = inviteMail(language, { project: 'Studio', channel: 'Main', url, until })
    expect(subject).toMatch(/Studio.*Main/)
    expect(text.split(url)).toHaveLength(2)
    expect(text.startsWith(`${subject}${language === 'cn' ? '。' : '.'}\n`)).toBe(true)
    expect(text).toContain('2026')
  }
})

test('removes links and line breaks from names of projects', () => {
  const project = `Win now: https://evil.example/x\r\nwww.evil.example a@evil.example ${'x'.repeat(300)}`
  const { subject, text } = inviteMail('en', { project, url, until })
  expect(subject).not.toMatch(/[\r\n]|\/\/|\.\w|@/)
  expect(subject.length).toBeLessThan(130)
  expect(text.match(/https?:/g)).toHaveLength(1)
})
