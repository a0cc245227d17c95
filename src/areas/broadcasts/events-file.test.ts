import { expect, test } from 'vitest'
import { type Event, toCsv } from './events-file.ts'

const event: Event = {
  id: 1,
  level: 'error',
  kind: 'rejected',
  text: 'One: rejected',
  created_at: '2026-11-21T12:00:00.000Z',
  reason: 'publish-rejected',
  words: '=Bad "key", try again',
  channel: { id: 3, name: 'One', type: 'twitch' },
}

test('writes a row for each event and escapes formulas', () => {
  const [head, line, rest] = toCsv([event]).split('\r\n')
  expect(head).toBe('\uFEFFcreated_at,level,kind,channel,reason,words,text,count,last_at')
  expect(line).toBe(
    `2026-11-21T12:00:00.000Z,error,rejected,One,publish-rejected,"'=Bad ""key"", try again",One: rejected,1,2026-11-21T12:00:00.000Z`,
  )
  expect(rest).toBe('')
})

test('writes empty cells for missing values', () => {
  const csv = toCsv([{ ...event, channel: null, reason: null, words: null, kind: 'ended', text: 'ended' }])
  expect(csv).toContain('error,ended,,,,ended,1,2026-11-21T12:00:00.000Z\r\n')
})
