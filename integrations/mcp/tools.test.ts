// Tools: none costs money, shows a key or concerns members, for all operations of the registry.
import { describe } from '#contract/core/describe.ts'
import type { Operation } from '#contract/core/operation.ts'
import { scopes } from '#contract/core/scopes.ts'
import { operations } from '#contract/index.ts'
import { expect, test } from 'vitest'
import { fieldsOf, operationTools, toolsFor } from './tools.ts'

const toolIds = new Set(operationTools.map(({ op }) => op.id))

/** Decided by other facts than the tools are chosen by. */
const unsafe: Readonly<Record<string, (op: Operation) => boolean>> = {
  scope: ({ scope }) => !/^((channels|broadcasts|chat):(read|control)|project:read)$/.test(scope),
  operators: ({ auth }) => auth === 'operator',
  write: ({ kind, scope }) => kind === 'write' && !scope.endsWith(':control'),
  money: ({ id, stale }) =>
    /^(billing|tariffs)\./.test(id) || stale.some((one) => /^(billing|tariffs|account|operator|projects)/.test(one)),
  members: ({ id, revokes }) => revokes || /^(account|operator)\.|\.(invites|members|access)\./.test(id),
  key: (op) =>
    /\.(keys|credentials)/.test(op.id) ||
    fieldsOf(describe(op).answer).some((name) =>
      /(stream|chat|api)_?key$|secret|token$|password|credential|balance|price/i.test(name),
    ),
}

test('no tool costs money, shows a key or concerns members', () => {
  const found = operations.flatMap((op) =>
    Object.entries(unsafe).flatMap(([why, is]) => (toolIds.has(op.id) && is(op) ? [`${op.id}: ${why}`] : [])),
  )
  expect(found).toEqual([])
  // Each of these facts is true of some operation.
  for (const [why, is] of Object.entries(unsafe)) expect(operations.some(is), why).toBe(true)
})

test('has the operations of a control surface and what is on air', () => {
  for (const id of [
    'channels.channels.setStatus',
    'broadcasts.broadcasts.pause',
    'broadcasts.broadcasts.play',
    'broadcasts.broadcasts.stop',
    'broadcasts.broadcasts.retry',
    'channels.settings.bulkUpdate',
    'chat.chat.send',
    'broadcasts.broadcasts.status',
    'broadcasts.broadcasts.events',
    'channels.channels.short',
    'projects.projects.list',
  ])
    expect(toolIds, id).toContain(id)
  for (const id of [
    'channels.channels.get',
    'broadcasts.broadcasts.credentials',
    'chat.keys.list',
    'projects.projects.info',
  ])
    expect(toolIds, id).not.toContain(id)
})

test('every operation with the scope control is a tool', () => {
  const control = operations.filter(({ scope }) => scope.endsWith(':control')).map(({ id }) => id)
  const found = toolsFor(['control']).map(({ op }) => op.id)
  expect(control.filter((id) => !found.includes(id))).toEqual([])
})

test('has names that clients accept, once each, and only what scopes allow', () => {
  const names = operationTools.map(({ name }) => name)
  expect(names.filter((name) => !/^\w{1,64}$/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
  expect(toolsFor([])).toEqual([])
  expect(toolsFor(['billing:write', 'operator:write', 'profile:write'])).toEqual([])
  expect(toolsFor(scopes)).toEqual(operationTools)
  expect(toolsFor(['broadcasts:read']).map(({ op }) => op.kind)).not.toContain('write')
})

test('has no parameter that the server fills in', () => {
  for (const { input, name } of operationTools) {
    expect(
      Object.keys(input.properties ?? {}).filter((field) => ['v', 'language', 'key'].includes(field)),
      name,
    ).toEqual([])
    expect(input.required, name).not.toContain('project_id')
  }
})
