// Peers that disconnect at any moment: resets, half-closed connections and broken frames at every listener of a node. Each closes
// its own connection; an unhandled error would end the process, and fails the test.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { openPublisher } from './destinations/publisher.ts'
import { openCertificate } from '#server/core/certificate.ts'
import { writeChunks } from './rtmp/chunks.ts'
import { command } from './rtmp/messages.ts'
import { handshakeType, readHandshake, writeHandshake } from './srt/handshake.ts'
import { writeAbilities, writeText } from './srt/extensions.ts'
import { controlType, readPacket, writeControl } from './srt/packets.ts'
import { openPrograms } from './programs/programs.ts'
import { aacHeader, avcHeader, stream } from './testing/frames.ts'
import { hasOpenssl, selfSigned } from './testing/programs.ts'
import { project, rig, until } from './testing/rig.ts'
import { slots } from './transcoders/slots.ts'

const rounds = 60

/** Seeded random numbers. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** All messages of an encoder or a player, from the handshake on. */
function session(kind: 'publish' | 'play', key: string): Buffer {
  const send = (message: Parameters<typeof writeChunks>[0]) => writeChunks(message, 3, 128)
  const asked = kind === 'publish' ? [key, 'live'] : [key]
  return Buffer.concat([
    Buffer.from([3]),
    Buffer.alloc(1536 * 2, 7),
    send(command('connect', 1, { app: 'live', flashVer: 'test' })),
    send(command('createStream', 2, null)),
    send(command(kind, 3, null, asked, 1)),
    ...[avcHeader(), aacHeader(), ...stream(0, 1)].map(send),
  ])
}

/** Sends a session up to a random byte, broken in every third one, and ends it in one of five ways. */
async function breakOff(socket: Socket, raw: Socket, upTo: (below: number) => number): Promise<void> {
  const whole = session(upTo(2) === 0 ? 'publish' : 'play', upTo(2) === 0 ? 'fuzz' : 'pull')
  const bytes = Buffer.from(whole.subarray(0, 1 + upTo(whole.length)))
  if (upTo(3) === 0) for (let change = 5; change > 0; change--) bytes[upTo(bytes.length)] = upTo(256)
  if (upTo(2) === 0) socket.resume()
  for (let at = 0; at < bytes.length;) {
    const size = 1 + upTo(3_000)
    socket.write(bytes.subarray(at, (at += size)))
    await wait(upTo(3))
  }
  const how = upTo(5)
  if (how === 0) raw.resetAndDestroy()
  else if (how === 1) socket.end()
  else if (how === 2) socket.destroy()
  else if (how === 3) {
    // One direction is closed; a reset follows.
    socket.end()
    await wait(20)
    raw.resetAndDestroy()
  } else {
    socket.write(Buffer.alloc(5_000, upTo(256)))
    await wait(5)
    raw.resetAndDestroy()
  }
}

const aHandshake = (said: Partial<Parameters<typeof writeHandshake>[0]>, socket: number) =>
  writeControl(controlType.handshake, {
    timestamp: 0,
    destination: 0,
    body: writeHandshake({
      version: 4,
      encryption: 0,
      extension: 2,
      sequence: 1000,
      mtu: 1500,
      window: 8192,
      type: handshakeType.induction,
      cookie: 0,
      extensions: [],
      socket,
      ...said,
    }),
  })

/** SRT caller that is admitted and then sends random data. */
async function callBadly(port: number, number: number, upTo: (below: number) => number): Promise<void> {
  const socket = createSocket('udp4')
  socket.on('error', () => undefined)
  const answered = () => once(socket, 'message').then(([bytes]) => readPacket(bytes as Buffer))
  const send = (bytes: Buffer) => socket.send(bytes, port, '127.0.0.1')
  const induced = answered()
  send(aHandshake({}, number))
  const first = await induced
  const cookie = first?.isControl ? (readHandshake(first.body)?.cookie ?? 0) : 0
  const abilities = {
    type: 1,
    content: writeAbilities({ version: 0x010501, flags: 0xbf, receiveMs: 120, sendMs: 120 }),
  }
  const key = { type: 5, content: writeText(upTo(2) === 0 ? '#!::r=fuzz,m=publish' : '#!::r=pull,m=request') }
  const conclusion = aHandshake(
    { version: 5, extension: 5, type: handshakeType.conclusion, cookie, extensions: [abilities, key] },
    number,
  )
  const welcomed = answered()
  send(conclusion)
  const second = await welcomed
  const peer = second?.isControl ? (readHandshake(second.body)?.socket ?? 0) : 0
  for (let count = 40; count > 0; count--) {
    const bytes = Buffer.from(Array.from({ length: 16 + upTo(200) }, () => upTo(256)))
    bytes.writeUInt32BE(peer, 12)
    if (upTo(3) === 0) conclusion.copy(bytes, 0, 0, 12)
    send(bytes)
  }
  await wait(upTo(20))
  socket.close()
}

test.skipIf(!hasOpenssl)(
  'disconnecting RTMP, RTMPS and SRT peers neither end the process nor occupy places of others',

  async () => {
    const faults: unknown[] = []
    const note = (error: unknown) => void faults.push(error)
    process.on('uncaughtExceptionMonitor', note)
    const dir = mkdtempSync(join(tmpdir(), 'relaydeck-peers-'))
    const files = await selfSigned(dir)
    const programs = openPrograms('ffmpeg')
    const made = await rig([], {
      admit: async ({ key }) => {
        if (key === 'good') return { projectId: project, destinations: [] }
        return key === 'fuzz' ? { projectId: 8, destinations: [] } : { refuse: 'No such key' }
      },
      admitPlayer: async ({ key }) => (key === 'pull' ? { projectId: project, keyId: 1 } : { refuse: 'No such key' }),
      transcoding: { programs, slots: slots(0) },
      readyMs: 2_000,
      pendingMax: 100,
    })
    const certificate = openCertificate(files, () => undefined)
    onTestFinished(async () => {
      process.off('uncaughtExceptionMonitor', note)
      certificate.close()
      await made.close()
      await programs.close()
      rmSync(dir, { recursive: true, force: true })
    })
    const { port: securePort } = await made.relay.listen(0, '127.0.0.1', { certificate })
    const { port: srtPort } = await made.relay.listenSrt(0, '127.0.0.1')
    const upTo = numbers(20_261_122)

    // Players receive the stream of this encoder.
    const good = made.encode()
    expect(await good.outcome).toBe('live')
    good.send(avcHeader(), aacHeader(), ...stream(0, 1))

    for (let round = 0; round < rounds; round++) {
      const raws = [made.port, securePort, securePort].map((port) => connect({ port, allowHalfOpen: true }))
      for (const raw of raws) raw.on('error', () => undefined)
      const [plain, beneath, early] = raws
      if (!plain || !beneath || !early) throw new Error('Three were opened')
      const secure = connectTls({ socket: beneath, rejectUnauthorized: false })
      secure.on('error', () => undefined)
      // An incomplete TLS handshake.
      early.write(Buffer.from('16030100f8010000f40303', 'hex').subarray(0, 1 + upTo(11)))
      await Promise.all([
        breakOff(plain, plain, upTo),
        wait(upTo(30)).then(() => breakOff(secure, beneath, upTo)),
        wait(upTo(5)).then(() => early.resetAndDestroy()),
        ...(round % 10 === 0 && (await programs.ffmpeg)?.srt ? [callBadly(srtPort, 100 + round, upTo)] : []),
      ])
      for (const raw of raws) raw.destroy()
    }

    expect(faults).toEqual([])
    good.send(...stream(1_000, 1))
    await until(() => made.relay.live(project)?.hub.group()[0]?.timestamp === 1_000)
    // The places of disconnected peers are free.
    const opened = connectTls({ port: securePort, rejectUnauthorized: false })
    const { promise, resolve } = Promise.withResolvers<string>()
    openPublisher(
      opened,
      { protocol: 'rtmps', host: 'localhost', port: securePort, app: 'live', key: 'wrong' },
      { onLive: () => resolve('live'), onClose: (_failure, words = '') => resolve(words) },
      { readyMs: 20_000 },
    )
    expect(await promise).toContain('No such key')
    expect(await made.encode('wrong').outcome).toContain('No such key')
  },
)
