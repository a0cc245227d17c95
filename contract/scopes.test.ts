// Scopes of operations.
import { expect, test } from 'vitest'
import { scopes, scopesAllow, scopesFor } from '#contract/core/scopes.ts'
import { operations } from './index.ts'

const idsWith = (scope: RegExp) => operations.filter((op) => scope.test(op.scope)).map(({ id }) => id)

test('every operation names one scope, and every scope has operations', () => {
  const known = [
    ...scopes.filter((scope) => scope !== 'control'),
    'channels:control',
    'broadcasts:control',
    'chat:control',
  ]
  expect(operations.filter(({ scope }) => ![...known, 'any', 'session'].includes(scope))).toEqual([])
  for (const scope of known) expect(idsWith(new RegExp(`^${scope}$`))).not.toEqual([])
})

test('a write needs more than a scope of reads', () => {
  const writes = operations.filter(({ kind, scope }) => kind === 'write' && scope.endsWith(':read'))
  // Keeps the readers of a chat running while it is shown.
  expect(writes.map(({ id }) => id)).toEqual(['chat.chat.watch'])
})

test('a read that shows a secret needs the scope of writes', () => {
  const reads = operations.filter(({ kind, scope }) => kind === 'read' && !/:read$|^any$|^session$/.test(scope))
  expect(reads.map(({ id }) => id)).toEqual([
    'broadcasts.broadcasts.credentials',
    'chat.chat.key',
    'ingest.pull-keys.list',
    'ingest.stream-keys.get',
    'ingest.stream-keys.stats',
    'media.files.session',
  ])
})

test('sessions, passwords and second factors accept no API token', () => {
  const guarded = operations.filter(({ id }) =>
    /^account\.(security|sessions)\.|^account\.settings\.(password|email)/.test(id),
  )
  expect(guarded.filter(({ scope }) => scope !== 'session')).toEqual([])
  expect(operations.filter(({ auth, scope }) => auth === 'operator' && !scope.startsWith('operator:'))).toEqual([])
})

test('`control` reaches switches, titles and chat, and no keys, money or members', () => {
  expect(
    operations.filter(({ scope }) => scopesAllow(['control'], scope) && scope !== 'any').map(({ id }) => id),
  ).toEqual([
    'broadcasts.broadcasts.pause',
    'broadcasts.broadcasts.play',
    'broadcasts.broadcasts.stop',
    'broadcasts.broadcasts.retry',
    'broadcasts.scheduler.stop',
    'channels.channels.setStatus',
    'channels.channels.bulkStatus',
    'channels.settings.bulkUpdate',
    'chat.chat.send',
    'chat.chat.again',
  ])
})

test('a scope of writes includes reads and control of its group, and no other group', () => {
  expect(scopesFor('chat:control')).toEqual(['control', 'chat:write'])
  expect(scopesAllow(['chat:write'], 'chat:read')).toBe(true)
  expect(scopesAllow(['chat:read'], 'chat:write')).toBe(false)
  expect(scopesAllow(['chat:write'], 'channels:control')).toBe(false)
  expect(scopesAllow(['control'], 'channels:read')).toBe(false)
  expect(scopesAllow([], 'any')).toBe(true)
  expect(scopesAllow(scopes, 'session')).toBe(false)
})
