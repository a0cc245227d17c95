// Units as systemd shows them.
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Machine } from './machine.ts'
import { placeIn } from './place.ts'
import { systemdMachine } from './systemd.ts'

/** Returns a machine whose `systemctl` prints these properties and fails to reload. */
function machineThatShows(lines: readonly string[]): Machine {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-systemd-'))
  const tool = join(folder, 'systemctl')
  writeFileSync(
    tool,
    `#!/bin/sh
if [ "$1" = reload ]; then echo "$2 is not active, cannot reload." >&2; exit 1; fi
cat <<'END'
${lines.join('\n')}
END
`,
  )
  chmodSync(tool, 0o755)
  const before = process.env['PATH']
  process.env['PATH'] = `${folder}:${before}`
  onTestFinished(() => void (process.env['PATH'] = before))
  return systemdMachine({ place: placeIn(folder), dataDir: folder, servicePort: 8080 })
}

describe.skipIf(process.platform !== 'linux')('a machine with systemd', () => {
  test.each([
    ['a service that ended with a failure', ['ActiveState=failed', 'MainPID=0', 'Job='], 'failed'],
    ['a waiting start that a restart has ended', ['ActiveState=failed', 'MainPID=0', 'Job=84'], 'starting'],
  ] as const)('%s', async (_, lines, expected) => {
    expect(await machineThatShows(lines).stateOf('1.0.0')).toBe(expected)
  })
  test.each(['inactive', 'deactivating', 'failed'])('a relay that is %s needs no drain', async (state) => {
    await expect(machineThatShows([`ActiveState=${state}`]).drainRelay('1.0.0')).resolves.toBeUndefined()
  })
  test('a running relay that does not drain is an error', async () => {
    await expect(machineThatShows(['ActiveState=active']).drainRelay('1.0.0')).rejects.toThrow(/cannot reload/)
  })
})
