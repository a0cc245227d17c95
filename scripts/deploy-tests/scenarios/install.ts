// `relaydeck install` on a Debian that runs systemd, without Node, twice.
import { strict as assert } from 'node:assert'
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '#server/relay/testing/free-port.ts'
import { type BootedMachine, boot } from '#scripts/deploy-tests/booted-machine.ts'
import type { Stage } from '#scripts/deploy-tests/stage.ts'

export const name = 'Installation in a Debian with systemd, without Node'
export const needs = ['linux', 'root', 'debian', 'mmdebstrap', 'nspawn'] as const

const exposureMost = 2
const settingsFile = '/etc/relaydeck/relaydeck.env'

export async function run(stage: Stage): Promise<void> {
  const root = stage.root()
  const at = (path: string) => join(root.folder, path)
  const [port, rtmpPort] = [await freePort(), await freePort()]
  // The machine shares the network of this one, so the usual ports may be taken.
  mkdirSync(at('etc/relaydeck'))
  const service = {
    PORT: port,
    SIGN_UP: 'open',
    BILLING: 'off',
    RATE_LIMITS: 'off',
    ALLOW_PRIVATE_DESTINATIONS: 'on',
  }
  const relay = { RTMP_HOST: '127.0.0.1', RTMP_PORT: rtmpPort, SRT_PORT: 'off', ALLOW_PRIVATE_DESTINATIONS: 'on' }
  writeFileSync(at(settingsFile), textOf(service))
  writeFileSync(at('etc/relaydeck/relay.env'), textOf(relay))
  copyFileSync(stage.archive.file, at('srv/archive.tar.gz'))
  const machine = await stage.check('systemd boots in systemd-nspawn', () => boot(stage, root))
  await installTwice(stage, machine, at)
  await checkUnits(stage, machine)
}

const textOf = (values: object): string =>
  Object.entries(values)
    .map(([variable, value]) => `${variable}=${value}\n`)
    .join('')

async function installTwice(stage: Stage, machine: BootedMachine, at: (path: string) => string): Promise<void> {
  const { folder, version } = stage.archive
  const since = performance.now()
  machine.run('tar', '-xzf', '/srv/archive.tar.gz', '-C', '/srv')
  const program = `/srv/${folder}/bin/relaydeck`
  await stage.check('install refuses inside an application container', () => {
    writeFileSync(at('.dockerenv'), '')
    const { code, stderr } = machine.outcome(program, 'install')
    assert.deepEqual([code, /This is a container/.test(stderr)], [1, true])
    rmSync(at('.dockerenv'))
  })
  const printed = await stage.check(
    'install makes the service ready, and prints its address and the link of the owner',
    () => machine.run(program, 'install'),
  )
  stage.measured('from the archive to the link', `${((performance.now() - since) / 1000).toFixed(1)} s`)
  assert.match(printed, /Relaydeck is at http:\/\/127\.0\.0\.1:\d+\n/)
  assert.match(printed, /\/sign-in\?invite=[\w-]{20,}/)
  await stage.check('a second install changes nothing and leaves the processes running', () => {
    const pids = () => ['relaydeck.service', `relaydeck-relay@${version}.service`].map((unit) => pidOf(machine, unit))
    const [before, settings] = [pids(), readFileSync(at(settingsFile), 'utf8')]
    machine.run('relaydeck', 'install')
    assert.deepEqual([pids(), readFileSync(at(settingsFile), 'utf8')], [before, settings])
    assert(before.every((pid) => pid > 0))
  })
  await stage.check('settings are for root and the service only, and no file of the data belongs to root', () => {
    assert.equal(statSync(at(settingsFile)).mode & 0o777, 0o640)
    machine.run('relaydeck', 'ledger', 'check')
    assert.equal(machine.run('find', '/var/lib/relaydeck', '/var/backups/relaydeck', '-user', 'root'), '')
  })
}

const pidOf = (machine: BootedMachine, unit: string): number =>
  Number(machine.run('systemctl', 'show', unit, '--property=MainPID').trim().replace('MainPID=', ''))

async function checkUnits(stage: Stage, machine: BootedMachine): Promise<void> {
  const units = ['relaydeck.service', `relaydeck-relay@${stage.archive.version}.service`]
  await stage.check('systemd-analyze finds nothing wrong in the units', () => {
    const { code, stdout, stderr } = machine.outcome('systemd-analyze', 'verify', 'relaydeck.socket', ...units)
    assert.deepEqual([code, (stdout + stderr).split('\n').filter((line) => line.includes('relaydeck'))], [0, []])
  })
  for (const unit of units)
    await stage.check(`${unit} is exposed by ${exposureMost}.0 at most`, () => {
      const printed = machine.run('systemd-analyze', 'security', '--no-pager', unit)
      const exposure = /exposure level for \S+: ([\d.]+)/.exec(printed)?.[1] ?? ''
      stage.measured(`exposure of ${unit}`, exposure)
      assert(exposure !== '' && Number(exposure) <= exposureMost)
    })
  await stage.check('doctor finds nothing but the missing ffmpeg', () => {
    const { code, stdout } = machine.outcome('relaydeck', 'doctor', '--json')
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly what: string }[] }
    assert.deepEqual([code, findings.map(({ what }) => what.split(':', 1)[0])], [1, ['ffmpeg is missing']])
  })
}
