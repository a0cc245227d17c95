// The document of the dashboard: its configuration is in it, its own script runs, and nothing in it can be more than data.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { keepDocument } from './document.ts'

const folder = mkdtempSync(join(tmpdir(), 'relaydeck-document-'))
const path = join(folder, 'index.html')
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const built = (script: string) =>
  `<head><link rel="preload" href="/config.json" as="fetch" crossorigin><script>${script}</script><script src="/a.js"></script></head>`

test('what is configured is written into it as data, its script has a hash, and it stays while a build is made', () => {
  writeFileSync(path, built('one()'))
  const document = keepDocument(path, { baseUrl: '</script><script>$&' })
  const text = document().body('identity').toString()
  expect(text).not.toContain('config.json')
  const written = /<script id="config" type="application\/json">(.*?)<\/script>/.exec(text)?.[1] ?? ''
  expect(JSON.parse(written)).toEqual({ baseUrl: '</script><script>$&' })
  const compressed = document().body('gzip')
  expect(gunzipSync(compressed).toString()).toBe(text)
  expect(document().body('gzip'), 'compressed once').toBe(compressed)
  expect(document().hashes).toEqual([`'sha256-${createHash('sha256').update('one()').digest('base64')}'`])

  const { etag } = document()
  expect(document().etag).toBe(etag)
  rmSync(path)
  expect(document().etag, 'while a build is made').toBe(etag)
})
