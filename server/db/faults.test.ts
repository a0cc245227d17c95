// Classification of database errors: faults and bugs.
import { expect, test } from 'vitest'
import { faultOf, isUnusableFile, NoConnectionError } from './faults.ts'

const sqlite = (errcode: number) => Object.assign(new Error('x'), { code: 'ERR_SQLITE_ERROR', errcode })
const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code })

test.each([
  ['SQLITE_FULL', sqlite(13), 'full'],
  ['disk_full of PostgreSQL', withCode('53100'), 'full'],
  ['no room for a file', withCode('ENOSPC'), 'full'],
  ['SQLITE_BUSY', sqlite(5), 'unavailable'],
  ['SQLITE_IOERR_WRITE', sqlite(778), 'unavailable'],
  ['a deadlock that was lost again and again', withCode('40P01'), 'unavailable'],
  ['too many connections', withCode('53300'), 'unavailable'],
  ['a statement that took too long', withCode('57014'), 'unavailable'],
  ['a server that shuts down', withCode('57P01'), 'unavailable'],
  ['a pool without a free connection', new NoConnectionError('x'), 'unavailable'],
  ['SQLITE_ERROR, a wrong statement', sqlite(1), null],
  ['SQLITE_CONSTRAINT_UNIQUE', sqlite(2067), null],
  ['SQLITE_CORRUPT', sqlite(11), null],
  ['a unique key of PostgreSQL', withCode('23505'), null],
  ['another server that refuses', withCode('ECONNREFUSED'), null],
  ['any other error', new TypeError('x'), null],
])('%s', (_, error, fault) => {
  expect(faultOf(error)).toBe(fault)
})

test.each([
  ['SQLITE_READONLY', 8, true],
  ['SQLITE_IOERR_WRITE', 778, true],
  ['SQLITE_CORRUPT', 11, true],
  ['SQLITE_FULL', 13, true],
  ['SQLITE_CANTOPEN', 14, true],
  ['SQLITE_NOTADB', 26, true],
  ['SQLITE_ERROR, a wrong statement', 1, false],
  ['SQLITE_BUSY, another process writes', 5, false],
  ['SQLITE_CONSTRAINT_UNIQUE', 2067, false],
  ['SQLITE_MISUSE', 21, false],
])('tells an unusable file: %s', (_, code, is) => {
  expect(isUnusableFile(sqlite(code))).toBe(is)
})
