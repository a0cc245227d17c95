import { expect, test } from 'vitest'
import type { Transcoder } from '#contract/areas/ingest/transcoders.ts'
import { draftOf, formOf, wrongFields } from './transcoder-draft.ts'

const known: Transcoder = {
  id: 1,
  name: 'Half',
  createdAt: '2026-03-01T10:00:00.000Z',
  width: 1280,
  height: 720,
  vBitrate: 3000,
  status: 'active',
  videoCodec: 'h264',
  channels: [],
  delay: 0,
  preset: 'veryfast',
  mode: 'custom',
}

test('what was saved is what is sent again, and what was left out stays out', () => {
  expect(formOf(draftOf(known))).toEqual({
    name: 'Half',
    videoCodec: 'h264',
    width: 1280,
    height: 720,
    vBitrate: 3000,
    preset: 'veryfast',
    delay: 0,
    channelIds: [],
  })
})

test('a size of one side is typed, and one that is as it comes has no numbers', () => {
  const { width: _, ...oneSide } = known
  const draft = draftOf(oneSide)
  expect(draft).toMatchObject({ size: 'other', width: '', height: '720' })
  expect(formOf({ ...draft, size: '' })).not.toHaveProperty('height')
  expect(formOf({ ...draft, size: '1080x1920' })).toMatchObject({ width: 1080, height: 1920 })
})

test('numbers outside the limits, and words, cannot be sent; nothing can', () => {
  const draft = draftOf(null)
  expect(wrongFields(draft)).toEqual([])
  expect(wrongFields({ ...draft, vBitrate: '900', fps: 'fast', delay: '', aBitrate: '160' })).toEqual([
    'fps',
    'vBitrate',
  ])
  expect(wrongFields({ ...draft, size: 'other', width: '99' })).toEqual(['width'])
})
