// Addresses that users and attackers enter.
import { describe, expect, test } from 'vitest'
import { isPublicAddress } from '#server/core/public-address.ts'
import { addressWithoutQuery, openSocket, publicLookup, readAddress } from './destinations.ts'

const strict = { allowPrivateDestinations: false }
const faultOf = (text: string) => {
  const read = readAddress(text, strict)
  return 'fault' in read ? read.fault : null
}

test.each([
  ['rtmp://a.rtmp.youtube.com/live2', 'rtmp', 'a.rtmp.youtube.com', 1935, 'live2'],
  ['  RTMP://A.rtmp.YouTube.com/live2/ ', 'rtmp', 'a.rtmp.youtube.com', 1935, 'live2'],
  ['rtmps://live-api-s.facebook.com:443/rtmp/', 'rtmps', 'live-api-s.facebook.com', 443, 'rtmp'],
  ['rtmp://host.example:80/app/inner', 'rtmp', 'host.example', 80, 'app/inner'],
  ['rtmp://8.8.8.8/live', 'rtmp', '8.8.8.8', 1935, 'live'],
  ['rtmp://[2606:4700::1111]:1936/live', 'rtmp', '2606:4700::1111', 1936, 'live'],
  ['rtmp://видео.рф/live', 'rtmp', 'xn--b1aedk6a.xn--p1ai', 1935, 'live'],
  ['rtmp://host.example/live?token=a/b?c', 'rtmp', 'host.example', 1935, 'live'],
  ['srt://srt.example:8093?streamid=x&passphrase=long-enough', 'srt', 'srt.example', 8093, ''],
  ['srt://srt.example:8093?streamid=#!::r=x,m=publish', 'srt', 'srt.example', 8093, ''],
])('%s is read', (text, protocol, host, port, path) => {
  expect(readAddress(text, strict)).toMatchObject({ protocol, host, port, path })
})

test('what is shown has no query, and the port only where it was written', () => {
  const shown = (text: string) => {
    const read = readAddress(text, strict)
    return 'fault' in read ? read.fault : addressWithoutQuery(read)
  }
  expect(shown('rtmps://host.example/live?secret=1')).toBe('rtmps://host.example/live')
  expect(shown('rtmps://[2606:4700::1111]:443/live')).toBe('rtmps://[2606:4700::1111]:443/live')
  expect(shown('srt://srt.example:9000?passphrase=secret-secret')).toBe('srt://srt.example:9000')
})

describe('refused', () => {
  test.each([
    ['', 'unreadable'],
    ['live', 'unreadable'],
    ['rtmp:host.example/live', 'unreadable'],
    ['rtmp://', 'unreadable'],
    ['rtmp:///live', 'unreadable'],
    ['rtmp://host.example', 'application'],
    ['rtmp://host.example/?key=1', 'application'],
    ['http://host.example/live', 'protocol'],
    ['file:///etc/passwd', 'protocol'],
    ['rtmpt://host.example/live', 'protocol'],
    ['rtmp://user:password@host.example/live', 'credentials'],
    ['rtmp://host.example@169.254.169.254/live', 'credentials'],
    ['rtmp://host.example\\@evil.example/live', 'unreadable'],
    ['rtmp://host.example/live#x', 'unreadable'],
    ['rtmp://host.example/li ve', 'unreadable'],
    ['rtmp://host.example/live\nx', 'unreadable'],
    ['rtmp://host\u200b.example/live', 'unreadable'],
    ['rtmp://host.example:0/live', 'port'],
    ['rtmp://host.example:99999/live', 'unreadable'],
    ['srt://host.example', 'port'],
    ['srt://host.example:9000?mode=listener', 'srt_parameter'],
    ['srt://host.example:9000?smoother=file', 'srt_parameter'],
    ['srt://host.example:9000#x', 'unreadable'],
    ['srt://host.example#:9000?streamid=x', 'unreadable'],
    ['srt://host.example:9000?passphrase=short', 'srt_passphrase'],
  ])('%s: %s', (text, fault) => {
    expect(faultOf(text)).toBe(fault)
  })

  test.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'api.localhost',
    'router.local',
    'metadata.google.internal',
    'intranet',
    'db.corp',
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '0177.0.0.1',
    '2130706433',
    '０x7f.1',
    '1２7.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.8',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[::ffff:a9fe:a9fe]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[2001:db8::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[100::1]',
    '[3fff::1]',
  ])('%s is private', (host) => {
    expect(faultOf(`rtmp://${host}/live`)).toBe('private')
  })

  test('unless the operator allows it', () => {
    const read = readAddress('rtmp://127.1/live', { allowPrivateDestinations: true })
    expect(read).toMatchObject({ host: '127.0.0.1' })
  })
})

test('addresses that are not addresses are not public', () => {
  expect(['', 'host.example', '1.2.3', '::ffff:1.2.3.4%lo'].filter(isPublicAddress)).toEqual([])
})

describe('a name is judged by what it stands for when the connection is made', () => {
  const ask = (all: boolean, ...addresses: string[]) =>
    new Promise((resolve) => {
      const answer = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      const lookup = publicLookup(async () => answer)
      lookup('host.example', { all }, (error, address) => resolve(error ? error.code : address))
    })

  test('public answers are handed on', async () => {
    expect(await ask(false, '8.8.8.8', '1.1.1.1')).toBe('8.8.8.8')
    expect(await ask(true, '8.8.8.8')).toEqual([{ address: '8.8.8.8', family: 4 }])
  })

  test.each([[['127.0.0.1']], [['8.8.8.8', '10.0.0.1']], [['::1']], [['::ffff:10.0.0.1']]])(
    '%s is refused',
    async (addresses) => {
      expect(await ask(true, ...addresses)).toBe('EFORBIDDENHOST')
    },
  )

  test('no answer is no address', async () => {
    expect(await ask(false)).toBe('EUNKNOWNHOST')
  })

  test('digits are judged without asking', () => {
    expect(() => openSocket({ protocol: 'rtmp', host: '127.0.0.1', port: 9 }, strict)).toThrow(/private/)
  })
})
