// State of the service as systemd prints it.
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { placeIn } from './place.ts'
import { systemdMachine } from './systemd.ts'

/** Lets `systemctl` print these properties. */
function systemctlPrints(lines: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'relaydeck-systemctl-'))
  const tool = join(folder, 'systemctl')
  writeFileSync(tool, `#!/bin/sh\ncat <<'END'\n${lines.join('\n')}\nEND\n`)
  chmodSync(tool, 0o755)
  const before = process.env['PATH']
  process.env['PATH'] = `${folder}:${before}`
  onTestFinished(() => void (process.env['PATH'] = before))
}

test.skipIf(process.platform !== 'linux').each([
  ['a service that ended with a failure', ['ActiveState=failed', 'MainPID=0', 'Job='], 'failed'],
  ['a waiting start that a restart has ended', ['ActiveState=failed', 'MainPID=0', 'Job=84'], 'starting'],
] as const)('%s', async (_, lines, expected) => {
  systemctlPrints(lines)
  const root = mkdtempSync(join(tmpdir(), 'relaydeck-systemd-'))
  const machine = systemdMachine({ place: placeIn(root), dataDir: root, servicePort: 8080 })
  expect(await machine.stateOf('1.0.0')).toBe(expected)
})
