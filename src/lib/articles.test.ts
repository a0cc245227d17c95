import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { articles } from './articles.ts'

const written = existsSync('handbook')
  ? readdirSync('handbook/en', { recursive: true, encoding: 'utf8' }).filter((file) =>
      /^[\w-]+\/[\w-]+\.md$/.test(file),
    )
  : []

test('lists the articles of the handbook', () => {
  const listed: readonly string[] = articles
  expect(new Set(listed).size).toBe(listed.length)
  const unlisted = written.map((file) => file.slice(0, -'.md'.length)).filter((path) => !path.endsWith('/index'))
  expect(unlisted.filter((path) => !listed.includes(path))).toEqual([])
})
