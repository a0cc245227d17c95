// Content folders for tests.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Writes files below a folder. @param files content by path below it */
export function writeContent(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

/** Creates a folder for CONTENT_DIR. @returns its path */
export function contentFolder(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-content-'))
  writeContent(folder, files)
  return folder
}

/** A post with a date, tags and an image. */
export const somePost =
  '---\ntitle: First post\ndate: 2026-02-01\ntags: [news, obs]\n---\n\nNow with ![a dot](dot.png) chat.\n'

/** A policy. */
export const somePolicy = '---\ntitle: Refunds\n---\n\nWe refund within 14 days.\n'

/** The head of a PNG of 3 × 2 pixels, which is all that the service reads. */
export const somePng = Buffer.from('89504e470d0a1a0a0000000d49484452000000030000000208060000009d7481d6', 'hex')

/** The head of a lossy WebP of 5 × 4 pixels. */
export const someWebp = Buffer.from(
  '524946461e000000574542505650382012000000300100' + '9d012a'.padStart(6, '0') + '05000400' + '000000000000000000',
  'hex',
)
