// Release of the running code.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'
import type { Settings } from './settings.ts'

const top = (name: string): string => readFileSync(join(root, name), 'utf8')

/** Version from package.json, midnight UTC of the date in its changelog entry; empty before there is an entry. */
export function currentRelease(): Settings['release'] {
  const { version } = JSON.parse(top('package.json')) as { version: string }
  const date = top('CHANGELOG.md')
    .split('\n')
    .find((line) => line.startsWith('## ') && line.includes(version))
    ?.match(/\d{4}-\d{2}-\d{2}/)?.[0]
  return { version, date: date === undefined ? '' : `${date}T00:00:00.000Z` }
}
