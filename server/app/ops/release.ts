// Facts of a release, and the keys that sign releases.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'

/** Public keys of releases in the project and in each release: that of today, and the next one. */
export const keyFile = 'deploy/release-keys.txt'

export const ReleaseFacts = z.object({
  name: z.literal('relaydeck'),
  version: z.string().check(z.regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/)),
  arch: z.enum(['x64', 'arm64']),
  commit: z.string(),
  /** Of the commit, seconds. */
  time: z.int(),
  /** Oldest C library that its programs run with. */
  glibc: z.string(),
  /** Newest migration. */
  schema: z.string(),
  /** Oldest migration that another release must know to run beside it. */
  floor: z.string(),
})
export type ReleaseFacts = z.output<typeof ReleaseFacts>

/** Reads the facts of a release. @throws when the folder has none */
export const factsOf = (folder: string): ReleaseFacts =>
  ReleaseFacts.parse(JSON.parse(readFileSync(join(folder, 'RELEASE.json'), 'utf8')))

/** Compares two versions. @returns below 0 when the first is older */
export function compareVersions(a: string, b: string): number {
  const [first = '', firstTag = '~'] = a.split(/-(.*)/)
  const [second = '', secondTag = '~'] = b.split(/-(.*)/)
  const numbers = (text: string) => text.split('.').map(Number)
  const others = numbers(second)
  const differing = numbers(first)
    .map((part, at) => part - (others[at] ?? 0))
    .find((by) => by !== 0)
  // A version without a tag is newer than its pre-releases.
  return differing ?? (firstTag === secondTag ? 0 : firstTag < secondTag ? -1 : 1)
}
