// Upgrades on a disk that becomes full in each step that writes: a sentence, and a release in use.
import { existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runUpgrade } from '#server/app/ops/upgrade/commands.ts'
import type { Machine, ServiceState } from '#server/app/ops/upgrade/machine.ts'
import { placeIn } from '#server/app/ops/upgrade/place.ts'
import { installSmall, newKey, writeSmall } from './small-release.ts'

const key = newKey()
const old = { version: '1.0.0', migrations: ['0001-base'], keys: [key] }

let folder: string
let opt: string
let archive: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'relaydeck-full-'))
  opt = join(folder, 'opt')
  const data = join(folder, 'data')
  mkdirSync(data)
  vi.stubEnv('DATA_DIR', data)
  await installSmall(opt, writeSmall(folder, key, old))
  archive = writeSmall(folder, key, { ...old, version: '1.1.0', migrations: ['0001-base', '0002-table'] })
})
afterEach(() => rmSync(folder, { recursive: true }))

const current = () => readlinkSync(join(opt, 'current'))

/** Runs an upgrade whose journal cannot be written from a step on. @returns its sentence */
async function upgrade(fullFrom: string, state: ServiceState = 'ready'): Promise<string> {
  const place = placeIn(opt)
  const next = `${place.journal}.next`
  const machine: Partial<Machine> = {
    writeUnits: async () => [],
    restart: async () => undefined,
    // The release of before starts again.
    stateOf: async (version) => (version === '1.0.0' ? 'ready' : state),
    relays: async () => [],
    used: async () => new Set(),
  }
  const say = (line: string) => {
    // Each write to this device fails as on a full disk.
    if (line.startsWith(fullFrom)) symlinkSync('/dev/full', next)
  }
  const message = await runUpgrade({ place, machine: machine as Machine, say }, [archive]).then(
    () => '',
    (error: Error) => `${error.name}: ${error.message}`,
  )
  rmSync(next, { force: true })
  return message
}

test.skipIf(!existsSync('/dev/full')).each([
  ['before the link changes', '5/8', 'ready', 'is full. 1.0.0 stays in use', '1.0.0'],
  ['before it goes back', '6/8', 'failed', '1.0.0 is in use again', '1.0.0'],
  ['before old releases are removed', '8/8', 'ready', 'is full. 1.1.0 is in use. Make room', '1.1.0'],
] as const)(
  'a disk that is full %s leaves a release in use, and a repeated upgrade ends',
  async (_, step, state, words, left) => {
    const message = await upgrade(step, state)
    expect(message).toMatch(/^UpgradeError: /)
    expect(message).toContain(words)
    expect(current()).toBe(`releases/${left}`)
    expect(await upgrade('never')).toBe('')
    expect(current()).toBe('releases/1.1.0')
  },
)
