import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { platformTypes } from '#contract/platforms/platforms.ts'
import { articleOf } from './platform-article.ts'

test.each(platformTypes)('a channel of %s links to an article about it', (type) => {
  const source = readFileSync(`handbook/en/${articleOf(type)}.md`, 'utf8')
  expect(/^platforms: \[(.*)\]$/m.exec(source)?.[1]?.split(', ')).toContain(type)
})
