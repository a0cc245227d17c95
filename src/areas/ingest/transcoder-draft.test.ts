import { expect, test } from 'vitest'
import { type Transcoder, transcoders } from '#contract/areas/ingest/transcoders.ts'
import { type Draft, draftOf, formOf } from './transcoder-draft.ts'

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

test('sends a saved transcoder unchanged, without omitted fields', () => {
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

test('accepts a size with one dimension, and sends no numbers for the original size', () => {
  const { width: _, ...oneSide } = known
  const draft = draftOf(oneSide)
  expect(draft).toMatchObject({ size: 'other', width: '', height: '720' })
  expect(formOf({ ...draft, size: '' })).not.toHaveProperty('height')
  expect(formOf({ ...draft, size: '1080x1920' })).toMatchObject({ width: 1080, height: 1920 })
})

/** Parameters that the contract refuses. */
const refused = (draft: Draft) =>
  transcoders.add.input.safeParse({ project_id: 1, ...formOf(draft) }).error?.issues.map(({ path }) => path[0]) ?? []

test('sends text and numbers outside the limits to the contract, which refuses them, and no empty fields', () => {
  const draft = draftOf(null)
  expect(refused(draft)).toEqual([])
  expect(refused({ ...draft, vBitrate: '90', fps: 'fast', delay: '', aBitrate: '160' })).toEqual(['fps', 'vBitrate'])
  expect(refused({ ...draft, size: 'other', width: '99' })).toEqual(['width'])
})
