// Global set-up of Vitest and Playwright: one temporary folder for the whole run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Variable with the id of the process that set `TMPDIR`: a run that a test starts has a folder of its own. */
const mark = 'RELAYDECK_TEST_FOLDER_OF'

/**
 * Makes the temporary folders of tests, and of the programs that they start, subfolders of one folder. Projects of Vitest share it.
 * @returns removes it, with those that failed or killed tests left
 */
// oxlint-disable-next-line import/no-default-export -- Playwright reads no other
export default function setup(): () => void {
  const own = String(process.pid)
  if (process.env[mark] !== own) {
    process.env['TMPDIR'] = mkdtempSync(join(tmpdir(), 'relaydeck-run-'))
    process.env[mark] = own
  }
  const folder = tmpdir()
  // Node would put its cache there as well.
  process.env['NODE_COMPILE_CACHE'] ??= resolve('.cache/compile')
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
