// Samples on their way to the service: their order, their size, and a line with a backlog.
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Sample } from '#contract/relay/events.ts'
import { untouched } from '#server/domain/broadcasts/live-facts.ts'
import { SampleQueue } from './sample-queue.ts'

const ingest = { kbps: 4_000, fps: 30, gopMs: 2_000, videoCodec: 'avc1', audioCodec: 'mp4a', width: 1920, height: 1080 }
const sampleOf = (projectId: number, channels: number, words: string | null = null): Sample => ({
  projectId,
  epoch: 1,
  at: 1_000,
  ingest,
  pulls: [{ id: 1, viewers: 2, kbps: 3 }],
  destinations: Array.from({ length: channels }, (_, id) => ({ ...untouched, id, state: 'live', since: 1, words })),
})

interface Sent {
  readonly seq: number
  readonly samples: readonly Sample[]
}

function link() {
  const sent: Sent[] = []
  const state = { hasRoom: true }
  const queue = new SampleQueue({ hasRoom: () => state.hasRoom, send: (message) => sent.push(message as Sent) })
  return { sent, state, queue }
}

test('sends the samples of a second together, and keeps them until they are acknowledged', async () => {
  const { sent, queue } = link()
  for (const projectId of [1, 2, 3]) queue.add(sampleOf(projectId, 3))
  await turn()
  expect(sent.map(({ samples }) => samples.map(({ projectId }) => projectId))).toEqual([[1, 2, 3]])
  queue.resend()
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual(sent[0])
  queue.acknowledge(sent[0]?.seq ?? 0)
  queue.resend()
  expect(sent).toHaveLength(2)
})

test('splits a sample so that no message exceeds 1.2 MB with the longest messages of servers', async () => {
  const { sent, queue } = link()
  queue.add(sampleOf(1, 398, '\u0000'.repeat(200)))
  queue.add(sampleOf(2, 2_000, '\u0000'.repeat(200)))
  await turn()
  for (const message of sent) expect(JSON.stringify(message).length).toBeLessThan(1_200_000)
  const parts = sent.flatMap(({ samples }) => samples).filter(({ projectId }) => projectId === 2)
  expect(parts.flatMap(({ destinations }) => destinations.map(({ id }) => id))).toEqual([...Array(2_000).keys()])
  expect(parts.flatMap(({ isPart }, index) => (isPart ? [] : index))).toEqual([parts.length - 1])
  expect(parts.flatMap(({ pulls }) => pulls)).toHaveLength(1)
})

test('waits while the line has a backlog or 64 messages are on their way, and drops the oldest', async () => {
  const { sent, state, queue } = link()
  state.hasRoom = false
  for (let second = 0; second < 130; second++) {
    queue.add(sampleOf(second, 399))
    await turn()
  }
  expect(sent).toEqual([])
  state.hasRoom = true
  queue.resend()
  expect(sent).toHaveLength(64)
  // 50,000 samples and destinations are kept: 125 of these messages.
  expect(sent[0]?.samples[0]?.projectId).toBe(5)
  queue.acknowledge(sent[31]?.seq ?? 0)
  expect(sent).toHaveLength(96)
})

test('keeps up with a project of 2,000 channels, and with 500 projects, in three seconds of one window', async () => {
  const large = link()
  const many = link()
  for (let second = 0; second < 3; second++) {
    large.queue.add(sampleOf(1, 2_000))
    for (let projectId = 0; projectId < 500; projectId++) many.queue.add(sampleOf(projectId, 5))
    await turn()
  }
  const destinationsOf = (sent: readonly Sent[]) =>
    sent.flatMap(({ samples }) => samples.flatMap(({ destinations }) => destinations)).length
  expect([destinationsOf(large.sent), destinationsOf(many.sent)]).toEqual([6_000, 7_500])
})
