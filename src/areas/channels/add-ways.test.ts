import { expect, test } from 'vitest'
import { isCustomAddress, pageOf, problemOf, typeOf, wayOf } from './add-ways.ts'

const twitch = {
  type: 'twitch',
  ingests: [{ title: 'RTMP', url: 'rtmp://live.twitch.tv/app' }],
  hosts: ['twitch.tv'],
} as const
const rutube = { type: 'rutube', ingests: [], hosts: ['rutube.ru'] } as const
const srt = { type: 'srt', ingests: [], hosts: [] } as const

test.each([
  [twitch, '', true],
  [twitch, 'rtmp:/', true],
  [twitch, 'rtmp://live-fra.twitch.tv/app', false],
  [twitch, ' RTMPS://TWITCH.TV.:443/app ', false],
  [twitch, 'rtmp://nottwitch.tv/app', true],
  [twitch, 'rtmp://twitch.tv.example.org/app', true],
  [rutube, '', false],
  [rutube, 'rtmp://rtmp-lb.ost.rutube.ru/live_push', false],
  [rutube, 'rtmp://media.example.org/live', true],
  [srt, '', true],
] as const)('%o: %s', (platform, address, expected) => {
  expect(isCustomAddress({ ...platform, ingests: [...platform.ingests], hosts: [...platform.hosts] }, address)).toBe(
    expected,
  )
})

test.each([
  ['twitch.tv/name', 'https://twitch.tv/name'],
  [' https://www.twitch.tv/name ', 'https://www.twitch.tv/name'],
  ['kick.com/a?tab=clips', 'https://kick.com/a?tab=clips'],
] as const)('a page may be written as %j', (text, saved) => {
  expect(problemOf('page', text, 'kick')).toBeNull()
  expect(pageOf(text)).toBe(saved)
})

test.each(['twitch', '', 'rtmp://live.twitch.tv/app', 'name@example.com', `java${'script'}:alert(1)`])(
  'a page is not %j',
  (text) => {
    expect(problemOf('page', text, 'kick')).toBe('page')
  },
)

test('any address may be one of SRT, which has no stream key', () => {
  expect([
    typeOf('custom', ' SRT://host:9000'),
    typeOf('custom', 'rtmp://host/app'),
    typeOf('twitch', 'srt://host'),
  ]).toEqual(['srt', 'custom', 'twitch'])
  expect(wayOf('srt').fields).toEqual(['address', 'name'])
  expect(problemOf('address', 'http://host', 'any')).toBe('anyAddress')
})
