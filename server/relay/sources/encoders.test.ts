// Sources of a project by the clock.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { plainLink } from '#server/relay/ingest/publication.ts'
import type { Rank } from '#server/relay/ingest/rank.ts'
import { Hub } from '#server/relay/media/hub.ts'
import { Encoders, openSource } from './encoders.ts'
import { Stage } from './stage.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const session = { end: () => undefined, received: () => 0, link: () => plainLink() }
const silence = { receive: () => undefined, close: () => undefined }

test.each([10_000, -10_000])('keeps its sources when the wall clock is set by %i ms', (ms) => {
  const stage = new Stage(new Hub(), { get: () => null })
  const open = (rank: Rank) => openSource(session, { encoder: '', address: '', rank, feed: stage.beside(), silence })
  const encoders = new Encoders()
  encoders.source = open('main')
  encoders.add(open('backup'))
  vi.setSystemTime(Date.now() + ms)
  expect(encoders.stateOf('backup')).toBe('connected')
  expect(encoders.hasEncoder()).toBe(true)
  expect(encoders.refusalOf('backup')).toBe('another_encoder')
  vi.advanceTimersByTime(2_000)
  expect(encoders.stateOf('backup')).toBeUndefined()
  expect(encoders.hasEncoder()).toBe(false)
})
