// Fuzzed RTMP sessions: the parser throws protocol errors only, keeps its limits and always ends.
// Seeded, so that failures are reproducible.
import { expect, test } from 'vitest'
import { aacHeader, avcHeader, stream } from '#server/relay/testing/frames.ts'
import { roundsOf } from '#server/testing/rounds.ts'
import { ChunkReader, writeChunks } from './chunks.ts'
import { command, readCommand, setChunkSize } from './messages.ts'
import { ProtocolError } from './protocol-error.ts'

const rounds = Number(process.env['FUZZ_RTMP_ROUNDS'] ?? roundsOf({ usual: 100_000, nightly: 1_000_000 }))

function randomFrom(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const sessions = [
  [command('connect', 1, { app: 'live', tcUrl: 'rtmp://example.com/live', flashVer: 'FMLE/3.0' })],
  [setChunkSize(4096), command('publish', 5, null, ['key', 'live'], 1), avcHeader(), aacHeader()],
  [avcHeader(0xfffff0), ...[...stream(0xfffff0, 1)].slice(0, 4)],
].map((messages) => Buffer.concat(messages.map((message) => writeChunks(message, message.type === 9 ? 6 : 3, 128))))

test(`${rounds} mutated sessions`, () => {
  const random = randomFrom(20_261_121)
  const upTo = (most: number) => Math.floor(random() * most)
  let refused = 0
  let understood = 0
  for (let round = 0; round < rounds; round++) {
    const bytes = Buffer.from(sessions[round % sessions.length] ?? Buffer.alloc(0)).subarray(0, 300)
    for (let change = upTo(4); change >= 0; change--) bytes[upTo(bytes.length)] = upTo(256)
    const from = upTo(8) === 0 ? upTo(bytes.length) : 0
    const cut = upTo(bytes.length)
    const reader = new ChunkReader({ messageBytes: 64 * 1024, streams: 16 })
    try {
      for (const piece of [bytes.subarray(from, Math.max(from, cut)), bytes.subarray(Math.max(from, cut))])
        for (const message of reader.read(piece)) {
          understood++
          readCommand(message)
        }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      refused++
    }
  }
  expect(refused).toBeGreaterThan(rounds / 20)
  expect(understood).toBeGreaterThan(rounds / 2)
})
