// The built service, as users run it.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { program } from '#server/testing/process.ts'

test('is ASCII, so that the runtime keeps one byte for each character of its source', () => {
  expect(/.{0,40}\P{ASCII}.{0,40}/u.exec(readFileSync(program, 'utf8'))?.[0]).toBeUndefined()
})
