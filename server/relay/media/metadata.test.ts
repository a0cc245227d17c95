import { expect, test } from 'vitest'
import { type Amf, encodeAmf } from '#server/relay/rtmp/amf0.ts'
import { noMetadata, readMetadata } from './metadata.ts'

const said = (facts: Amf) => Buffer.concat([encodeAmf('onMetaData'), encodeAmf(facts)])

test('reads size and encoder name', () => {
  const facts = { width: 1920, height: 1080, frameRate: 29.97, encoder: 'obs-output module (libobs version 29.0.2)' }
  expect(readMetadata(said({ ...facts, framerate: facts.frameRate }))).toEqual(facts)
})

test.each([
  ['no AMF', Buffer.from('onMetaData\x03\xff\xff')],
  ['an end too early', said({ width: 1920 }).subarray(0, 20)],
  ['no number', said({ width: Number.NaN, height: Number.POSITIVE_INFINITY })],
  ['a size that no picture has', said({ width: -1, height: 1e300 })],
  ['other types', said({ width: 'wide', height: null, encoder: 7 })],
  ['an object within', said({ width: { valueOf: 'x' } })],
])('reads no values from %s', (_, payload) => {
  expect(readMetadata(payload)).toEqual(noMetadata)
})

test('shortens a name to one line', () => {
  expect(readMetadata(said({ encoder: `a\u0000b\n${'c'.repeat(200)}` })).encoder).toBe(`ab${'c'.repeat(98)}`)
})
