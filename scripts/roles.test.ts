// Roles stand in one file: contract/entities/roles.ts.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type * as Roles from '#contract/entities/roles.ts'
import { plant } from './house/planted.ts'

const file = 'contract/entities/roles.ts'

/** `access_type: 2`, `access_type = 2` in SQL, and `'link.access_type', '>=', 1`. */
const number = /access_type["'`]?\)?\s*(?:[:=<>!]+|,\s*["'`](?:[=<>!]+|in)["'`],)\s*\[?\d/

test('finds a planted number of a role', () => {
  const planted = [
    '{ access_type: 2 }',
    'sql`where owner.access_type = 2`',
    "where('member.access_type', '>=', 1)",
    "on('link.access_type', 'in', [1, 2])",
    'access_type === 1',
  ]
  expect(planted.filter((line) => !number.test(line))).toEqual([])
})

test('no file of the product writes the number of a role', () => {
  const files = globSync('{server,src}/**/*.{ts,tsx}').filter(
    (path) => !/\.test\.tsx?$|\/testing\/|\/migrations\//.test(path),
  )
  expect(files.length).toBeGreaterThan(1000)
  expect(files.filter((path) => number.test(readFileSync(path, 'utf8')))).toEqual([])
})

test('another role is one entry', async () => {
  const first = 'const memberRoles = {'
  const source = readFileSync(file, 'utf8')
  expect(source).toContain(first)
  const { folder, remove } = plant({ [file]: source.replace(first, `${first} guide: { wire: 9, may: ['view'] },`) })
  try {
    const planted = (await import(join(folder, file))) as typeof Roles
    const guide = planted.AccessType.parse(9)
    expect([planted.roleOf(guide), planted.roles[0]]).toEqual(['guide', 'guide'])
    expect(planted.accessTypesFor('viewer')).toEqual([9, 0, 1, 2])
    expect(planted.accessTypesFor('editor')).toEqual([1, 2])
    expect(planted.rightOfMember(guide, planted.channelRights.own)).toBe(planted.channelRights.view)
    expect(planted.ChannelRight.safeParse(9).success).toBe(false)
  } finally {
    remove()
  }
})
