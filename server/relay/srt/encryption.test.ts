// Keys wrapped with a passphrase in the form that callers send; `server/app/nodes/relay-srt.test.ts` tests with libsrt.
import { createCipheriv, pbkdf2Sync, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { until } from '#server/relay/testing/rig.ts'
import { SrtConnection } from './connection.ts'
import { readKeyMaterial, unwrap } from './encryption.ts'
import { controlType, readPacket, writeControl, writeData } from './packets.ts'

const passphrase = 'the key of a project'

/** Key material of a caller. @param kinds 1: even, 2: odd, 3: both */
function material(
  kinds: 1 | 2 | 3,
  bits: 128 | 192 | 256 = 128,
  keys = randomBytes((bits / 8) * (kinds === 3 ? 2 : 1)),
) {
  const salt = randomBytes(16)
  const outer = pbkdf2Sync(passphrase, salt.subarray(8), 2048, bits / 8, 'sha1')
  const cipher = createCipheriv(`id-aes${bits}-wrap`, outer, Buffer.alloc(8, 0xa6))
  const head = Buffer.from([0x12, 0x20, 0x29, kinds, 0, 0, 0, 0, 2, 0, 2, 0, 0, 0, 4, bits / 32])
  return Buffer.concat([head, salt, cipher.update(keys), cipher.final()])
}

const keysOf = async (content: Buffer, secret = passphrase) => {
  const read = readKeyMaterial(content)
  return read && unwrap(read, secret)
}

test.each([128, 192, 256] as const)('decrypts data of %i-bit keys with the passphrase only', async (bits) => {
  const content = material(3, bits)
  const [keys, same] = [await keysOf(content), await keysOf(content)]
  const payload = randomBytes(1316)
  const sent = keys?.encrypt(payload, 2 ** 31 - 1) ?? payload
  expect(sent.equals(payload)).toBe(false)
  expect(keys?.parity).toBe('even')
  expect(same?.decrypt(sent, 2 ** 31 - 1, 'even')).toEqual(payload)
  expect(same?.decrypt(sent, 5, 'even')).not.toEqual(payload)
  expect(same?.decrypt(sent, 2 ** 31 - 1, 'odd')).not.toEqual(payload)
  expect(await keysOf(content, 'another passphrase')).toBe(null)
})

test.each([0, 1, 15, 16, 17, 1316, 60_000])('encrypts %i bytes as AES in counter mode does', async (length) => {
  const key = randomBytes(16)
  const content = material(1, 128, key)
  const [keys, payload, sequence] = [await keysOf(content), randomBytes(length), 123_456_789]
  const start = Buffer.concat([content.subarray(16, 30), Buffer.alloc(2)])
  start.writeUInt32BE((start.readUInt32BE(10) ^ sequence) >>> 0, 10)
  const expected = createCipheriv('aes-128-ctr', key, start).update(payload)
  expect(keys?.encrypt(payload, sequence).equals(expected)).toBe(true)
})

test('rejects changed key material', async () => {
  const content = material(1)
  for (const at of [0, 1, 2, 8, 14, 15, 30, content.length - 1]) {
    const changed = Buffer.from(content)
    changed[at] = (changed[at] ?? 0) ^ 0x15
    expect(await keysOf(changed), `byte ${at}`).toBe(null)
  }
  for (let length = 0; length < content.length; length++) expect(await keysOf(content.subarray(0, length))).toBe(null)
})

test('accepts new keys during the stream, confirms them, and rejects unencrypted packets', async () => {
  const [first, second] = [material(1), material(2)]
  const keys = await keysOf(first)
  const next = await keysOf(second)
  if (!keys || !next) throw new Error('No keys')
  const got: string[] = []
  const said: Buffer[] = []
  const connection = new SrtConnection({
    mode: 'publish',
    peer: 9,
    first: 1,
    latencyMs: 120,
    window: 8192,
    secret: { keys, passphrase },
    out: (packet) => said.push(packet),
    onPayload: (payload) => got.push(payload.toString()),
    onEnd: () => undefined,
  })
  const take = (bytes: Buffer) => {
    const packet = readPacket(bytes)
    if (packet) connection.take(packet)
  }
  const about = { message: 1, timestamp: 0, destination: 1 }
  take(writeData({ ...about, sequence: 1, key: null, payload: Buffer.from('in the open') }))
  take(writeData({ ...about, sequence: 1, key: 'even', payload: keys.encrypt(Buffer.from('one'), 1) }))
  take(writeControl(controlType.extension, { subtype: 3, timestamp: 0, destination: 1, body: second }))
  await until(() => said.length > 0)
  const answer = readPacket(said[0] ?? Buffer.alloc(0))
  expect(answer).toMatchObject({ type: controlType.extension, subtype: 4, body: second })
  take(writeData({ ...about, sequence: 2, key: 'odd', payload: next.encrypt(Buffer.from('two'), 2) }))
  expect(got).toEqual(['one', 'two'])
})
