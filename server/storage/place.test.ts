// Where films are, by the settings.
import { expect, test } from 'vitest'
import { mediaFolder, placeOf } from './place.ts'

const s3 = { endpoint: 'https://s3.example.com/films', region: 'x', accessKeyId: 'x', secretAccessKey: 'hidden' }

test('films are in MEDIA_DIR, or else in the bucket of S3_URL, or else with the data', () => {
  const none = { dataDir: '/data', mediaDir: '', s3: null }
  expect(placeOf(none)).toEqual({ kind: 'folder', at: '/data/media' })
  expect(placeOf({ ...none, s3 })).toEqual({ kind: 'bucket', at: s3.endpoint })
  expect(placeOf({ ...none, s3, mediaDir: '/shared' })).toEqual({ kind: 'folder', at: '/shared' })
  expect([mediaFolder(none), mediaFolder({ ...none, s3 })]).toEqual(['/data/media', null])
})
