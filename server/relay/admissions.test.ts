import { refusal } from './ingest/refusal.ts'
import type { FromNode } from '#contract/relay/from-node.ts'
import { expect, test } from 'vitest'
import { createAdmissions } from './admissions.ts'

const request = { app: 'live', key: 'key', encoder: 'OBS', address: '192.0.2.1' }

function asked(isFull = false, isEnding = false) {
  const sent: FromNode[] = []
  const allowed: number[] = []
  const admissions = createAdmissions({
    isOpen: () => true,
    isFull: () => isFull,
    isClosed: () => isEnding,
    send: (message) => sent.push(message),
    projects: () => [7],
    onGrant: ({ projectId }) => allowed.push(projectId),
  })
  const number = () => {
    const last = sent.at(-1)
    return last && 'request' in last ? last.request : 0
  }
  return { admissions, allowed, number, sent }
}

test('refuses an encoder beside another one with the code for SRT', async () => {
  const { admissions, number } = asked()
  const verdict = admissions.admit(request)
  await Promise.resolve()
  admissions.handlers.refused({ type: 'refused', request: number(), words: 'Another encoder', reason: 'conflict' })
  expect(await verdict).toEqual({ refuse: 'Another encoder', code: refusal.conflict })
})

test('tells the service that the node is full, except for an encoder that it has parked', async () => {
  const { admissions, number, sent } = asked(true)
  const verdict = admissions.admit(request)
  await Promise.resolve()
  expect(sent).toMatchObject([{ type: 'admit', isFull: true }])
  admissions.handlers.refused({ type: 'refused', request: number(), words: 'Full', reason: 'overload' })
  expect(await verdict).toEqual({ refuse: 'Full', code: refusal.overload })
  void admissions.admit({ ...request, isParked: true })
  await Promise.resolve()
  expect(sent.at(-1)).not.toHaveProperty('isFull')
  expect(sent.at(-1)).not.toHaveProperty('isParked')
})

test('asks the next connection when the service was killed before its answer', async () => {
  const { admissions, sent, number } = asked()
  const verdict = admissions.admit(request)
  await Promise.resolve()
  admissions.repeat()
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual(sent[0])
  admissions.handlers.admitted({ type: 'admitted', request: number(), projectId: 7, epoch: 5, destinations: [] })
  expect(await verdict).toMatchObject({ projectId: 7, epoch: 5 })
  admissions.repeat()
  expect(sent).toHaveLength(2)
})

test('passes the epoch of an admission on', async () => {
  const { admissions, allowed, number } = asked()
  const verdict = admissions.admit(request)
  await Promise.resolve()
  admissions.handlers.admitted({ type: 'admitted', request: number(), projectId: 7, epoch: 4, destinations: [] })
  expect(await verdict).toMatchObject({ projectId: 7, epoch: 4 })
  expect(allowed).toEqual([7])
})

test('refuses a key that no project can have without a question to the service', async () => {
  const { admissions, sent } = asked()
  const key = '\u0001'.repeat(60_000)
  expect(await admissions.admit({ ...request, key })).toHaveProperty('refuse')
  expect(await admissions.admitPlayer({ key, address: '192.0.2.1', transport: 'rtmp' })).toHaveProperty('refuse')
  expect(sent).toEqual([])
  void admissions.admit({ ...request, app: '\uffff'.repeat(60_000) })
  await Promise.resolve()
  expect(JSON.stringify(sent).length).toBeLessThan(2_000)
})

test('admits no encoder after the deadline of a drain, and asks nobody', async () => {
  const { admissions, sent } = asked(false, true)
  expect(await admissions.admit(request)).toEqual({ refuse: 'This server ends now. Connect again', code: refusal.down })
  expect(sent).toEqual([])
})
