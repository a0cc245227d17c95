// PDF files of papers: made once and kept, one at a time.
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPaperFiles } from './paper-files.ts'
import type { PaperView } from './paper-page.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'relaydeck-papers-'))
})
afterEach(() => {
  chmodSync(dataDir, 0o700)
  rmSync(dataDir, { recursive: true })
})

const view = (number: string): PaperView => ({
  language: 'en',
  title: 'Receipt',
  number,
  facts: [],
  parties: [],
  head: ['Item', 'Amount'],
  items: [],
  total: ['Total', '1'],
  net: null,
  tax: null,
  notes: [],
})

/** Files whose PDFs are made by hand. */
function files() {
  const made: string[] = []
  const ends: (() => void)[] = []
  const warnings: object[] = []
  let most = 0
  const log = { warn: (about: object) => void warnings.push(about) }
  const { get } = createPaperFiles({ config: { dataDir }, log }, async ({ number }) => {
    made.push(number)
    if (number === 'broken') throw new Error('No PDF')
    await new Promise<void>((resolve) => {
      ends.push(resolve)
      most = Math.max(most, ends.length)
    })
    return Buffer.from(`%PDF-${number}`)
  })
  const end = async () => {
    await expect.poll(() => ends.length).toBeGreaterThan(0)
    ends.shift()?.()
  }
  return {
    made,
    warnings,
    mostAtOnce: () => most,
    get: async (number: string) => (await get(view(number))).toString(),
    end,
  }
}

test('makes a PDF once for all requests, and keeps it for the next process', async () => {
  const { made, get, end } = files()
  const all = Promise.all([get('A'), get('A'), get('A')])
  await end()
  expect(await all).toEqual(['%PDF-A', '%PDF-A', '%PDF-A'])
  expect(await get('A')).toBe('%PDF-A')
  expect(made).toEqual(['A'])
  const next = files()
  expect(await next.get('A')).toBe('%PDF-A')
  expect(next.made).toEqual([])
  const changed = next.get('B')
  await next.end()
  expect(await changed).toBe('%PDF-B')
})

test('makes one PDF at a time, also after one that failed', async () => {
  const { made, get, end, mostAtOnce } = files()
  // The order in which requests find no file is that of the disk.
  const all = Promise.allSettled([get('one'), get('broken'), get('two')])
  await end()
  await end()
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(made.toSorted()).toEqual(['broken', 'one', 'two'])
  expect(mostAtOnce()).toBe(1)
})

test('refuses a request when 20 PDFs wait', async () => {
  const { get, end } = files()
  const all = Promise.allSettled(Array.from({ length: 21 }, (_, at) => get(`${at}`)))
  for (let at = 0; at < 20; at++) await end()
  const refused = (await all).flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  expect(refused).toMatchObject([{ status: 503, name: 'TooManyPapers', retryAfterSeconds: 5 }])
  const after = get('more')
  await end()
  expect(await after).toBe('%PDF-more')
})

test('sends a PDF that cannot be kept', async () => {
  // A file stands where the folder would be.
  writeFileSync(join(dataDir, 'papers'), '')
  const { get, end, warnings } = files()
  const sent = get('A')
  await end()
  expect(await sent).toBe('%PDF-A')
  expect(warnings).toHaveLength(1)
  expect(readdirSync(dataDir)).toEqual(['papers'])
})
