import { expect, test } from 'vitest'
import type { IngestServer } from '#contract/areas/ingest/rtmp-servers.ts'
import { bestServer, encoderAddress, ffmpegCommand, larixLink, loopbackHostOf, protocolsOf } from './addresses.ts'

const server = (about: Partial<IngestServer>): IngestServer => ({
  id: 1,
  pool_id: 0,
  index: 0,
  city: 'Frankfurt',
  country: { name: 'Germany', code: 'DE', id: 0 },
  url: 'fra.example.com',
  urls: {
    rtmp: { value: 'rtmp://fra.example.com/live', mask: 'rtmp://fra.example.com/live/{{key}}' },
    srt: { value: 'srt://fra.example.com:8093', mask: 'srt://fra.example.com:8093?streamid={{key}}' },
  },
  pingHost: 'fra.example.com',
  options: { allowDedicatedServer: false },
  network: { avg: 0, max: 0 },
  cpu: { avg: 0, max: 0 },
  ram: { avg: 0, max: 0 },
  quality: 100,
  serverStatus: 'good',
  platforms: [],
  ...about,
})

test('splits an address into the fields of encoders', () => {
  const abc = { projectId: 7, key: 'abc' }
  expect(encoderAddress(server({}), 'rtmp', abc)).toEqual({
    server: 'rtmp://fra.example.com/live',
    whole: 'rtmp://fra.example.com/live/abc',
    plain: 'rtmp://fra.example.com/live/abc',
  })
  expect(encoderAddress(server({}), 'srt', { projectId: 7, key: 'a&$1' })).toEqual({
    server: 'srt://fra.example.com:8093',
    whole: 'srt://fra.example.com:8093?streamid=project/7&passphrase=a%26%241',
    plain: 'srt://fra.example.com:8093?streamid=a%26%241',
  })
  expect(encoderAddress(server({ urls: {} }), 'rtmp', abc)).toBeNull()
  expect(encoderAddress(undefined, 'rtmp', abc)).toBeNull()
})

test('returns the protocols that a server reports', () => {
  expect(protocolsOf(server({}))).toEqual(['rtmp', 'srt'])
  expect(protocolsOf(server({ urls: {} }))).toEqual([])
})

test('prefers the nearest healthy server, and the first one without measurements', () => {
  const far = server({ id: 1, pingHost: 'far' })
  const near = server({ id: 2, pingHost: 'near' })
  const ill = server({ id: 3, pingHost: 'ill', serverStatus: 'bad' })
  const all = [far, near, ill]
  const measured = new Map([
    ['far', 80],
    ['near', 12],
    ['ill', 2],
  ])
  expect(bestServer(all, measured)).toBe(near)
  expect(bestServer(all, new Map([['far', null]]))).toBe(far)
  expect(bestServer([], new Map())).toBeUndefined()
})

test('formats the address for Larix and ffmpeg', () => {
  expect(new URL(larixLink('rtmp://x/live/abc')).searchParams.get('conn[][url]')).toBe('rtmp://x/live/abc')
  expect(ffmpegCommand('srt://x', 'srt')).toContain("-f mpegts 'srt://x'")
  expect(ffmpegCommand('rtmp://x', 'rtmp')).toContain("-f flv 'rtmp://x'")
})

test.each([
  ['rtmp://127.0.0.1:1935/live', '127.0.0.1'],
  ['rtmps://localhost/live/key', 'localhost'],
  ['srt://[::1]:9710?streamid=x', '[::1]'],
  ['rtmp://127.0.0.1.example.com/live', null],
  ['rtmp://192.168.1.7:1935/live', null],
  ['', null],
])('the loopback host of %s', (address, host) => {
  expect(loopbackHostOf(address)).toBe(host)
})
