import { expect, test } from 'vitest'
import { redirected } from './redirect.ts'

const open = { protocol: 'rtmp', host: 'a.example.com', port: 1935, app: 'live', key: 'secret-key' } as const
const secure = { ...open, protocol: 'rtmps', port: 443 } as const
const strict = { allowPrivateDestinations: false }

test('replaces the address and keeps the key', () => {
  const there = { protocol: 'rtmp', host: 'b.example.com', port: 1936, app: 'in/live?x=1', key: 'secret-key' }
  expect(redirected(open, 'rtmp://b.example.com:1936/in/live?x=1', strict)).toEqual(there)
  expect(redirected(open, 'rtmps://b.example.com/live', strict)).toMatchObject({ protocol: 'rtmps', port: 443 })
  expect(redirected(secure, 'rtmps://b.example.com/live', strict)).toMatchObject({ host: 'b.example.com' })
})

test.each([
  ['what is no address', open, 'elsewhere'],
  ['another protocol', open, 'http://b.example.com/live'],
  ['SRT', open, 'srt://b.example.com:9000'],
  ['a private network', open, 'rtmp://192.168.0.1/live'],
  ['this machine', open, 'rtmp://127.0.0.1/live'],
  ['the open, from TLS', secure, 'rtmp://b.example.com/live'],
])('ignores a redirect to %s', (_, from, address) => {
  expect(redirected(from, address, strict)).toBeNull()
})
