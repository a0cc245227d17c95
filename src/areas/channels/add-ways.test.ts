import { expect, test } from 'vitest'
import { isCustomAddress } from './add-ways.ts'

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
