// `relaydeck install` on a Debian that runs systemd, without Node: twice, restarts beside an encoder, wrong settings, repair, removal.
import { strict as assert } from 'node:assert'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { freePort } from '#server/relay/testing/free-port.ts'
import { signUp } from '#server/testing/process.ts'
import { type BootedMachine, boot } from '#scripts/deploy-tests/booted-machine.ts'
import { beginBroadcast } from '#scripts/deploy-tests/broadcast.ts'
import { poll } from '#scripts/house/poll.ts'
import { beginRequests } from '#scripts/deploy-tests/requests.ts'
import type { Stage } from '#scripts/deploy-tests/stage.ts'

export const name = 'Installation in a Debian with systemd, without Node'
export const needs = ['linux', 'root', 'debian', 'mmdebstrap', 'nspawn'] as const

const restarts = 20
const exposureMost = 2
/** The restart, and `TriggerLimitBurst` of the socket. */
const mostStarts = 4
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
  const url = `http://127.0.0.1:${port}`
  await installTwice(stage, machine, at)
  await checkUnits(stage, machine)
  await restartBesideEncoder(stage, machine, url, rtmpPort)
  await breakAndRepair(stage, machine, at)
  await stage.check('uninstall removes all but data, settings and backups', async () => {
    machine.run('relaydeck', 'uninstall')
    await assert.rejects(fetch(`${url}/healthz`))
    assert(!existsSync(at('opt/relaydeck')) && !existsSync(at('usr/local/bin/relaydeck')))
    assert(existsSync(at('var/lib/relaydeck/relaydeck.db')) && existsSync(at(settingsFile)))
    assert.equal(machine.outcome('systemctl', 'cat', 'relaydeck.service').code, 1)
  })
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

async function restartBesideEncoder(
  stage: Stage,
  machine: BootedMachine,
  url: string,
  rtmpPort: number,
): Promise<void> {
  const unit = `relaydeck-relay@${stage.archive.version}.service`
  const { accessToken } = await signUp(url, 'ann@example.com')
  const broadcast = await stage.check('an encoder is on air', () =>
    beginBroadcast({ url, token: accessToken, rtmpPort, stage }),
  )
  const relay = pidOf(machine, unit)
  const requests = beginRequests(`${url}/healthz`)
  for (let count = 0; count < restarts; count++) {
    await machine.during('systemctl', 'restart', 'relaydeck.service')
    await poll('readiness', async () => (await fetch(`${url}/readyz`)).ok)
  }
  const { answered, failures, longestMs } = await requests.stop()
  stage.measured(
    'requests over the restarts',
    `${answered} answered, ${failures.length} failed, longest ${(longestMs / 1000).toFixed(1)} s`,
  )
  await stage.check(`${restarts} restarts refuse no request`, () => assert.deepEqual(failures, []))
  const { sent, lost, connections } = await broadcast.end()
  stage.measured('frames over the restarts', `${sent} sent, ${lost} lost`)
  await stage.check(`${restarts} restarts lose no frame and leave the relay running`, () =>
    assert.deepEqual({ lost, connections, relay: pidOf(machine, unit) }, { lost: 0, connections: 1, relay }),
  )
}

async function breakAndRepair(stage: Stage, machine: BootedMachine, at: (path: string) => string): Promise<void> {
  const { check } = stage
  const settings = readFileSync(at(settingsFile), 'utf8')
  const line = settings.trimEnd().split('\n').length + 1
  await check('doctor names file and line of a mistyped setting', () => {
    appendFileSync(at(settingsFile), 'PUBLIC_ULR=https://live.example.com\n')
    const { code, stdout } = machine.outcome('relaydeck', 'doctor')
    assert.equal(code, 1)
    assert(stdout.includes(`${settingsFile}:${line}: PUBLIC_ULR`) && stdout.includes('Write PUBLIC_URL'), stdout)
  })
  await check(
    'a wrong setting ends the service with exit code 78 and its sentence, beside a relay that connects',
    async () => {
      writeFileSync(at(settingsFile), `${settings}LOG_LEVEL=loud\n`)
      machine.run('systemctl', 'restart', '--no-block', 'relaydeck.service')
      // Connections to the socket start the service again: a few times, then the socket closes.
      await poll('the failed socket', () => machine.outcome('systemctl', 'is-failed', 'relaydeck.socket').code === 0)
      await poll('the failed service', () => machine.outcome('systemctl', 'is-failed', 'relaydeck.service').code === 0)
      const shown = machine.run('systemctl', 'show', 'relaydeck.service', '--property=NRestarts,ExecMainStatus')
      assert.deepEqual(shown.trim().split('\n').toSorted(), ['ExecMainStatus=78', 'NRestarts=0'])
      const journal = machine.run('journalctl', '-u', 'relaydeck', '-o', 'cat', '--no-pager')
      const starts = [...journal.matchAll(/LOG_LEVEL is not valid, got "loud"/g)].length
      assert(starts >= 1 && starts <= mostStarts, `${starts} starts`)
      const { code, stdout } = machine.outcome('relaydeck', 'doctor')
      assert.deepEqual([code, stdout.includes(`${settingsFile}:${line}: LOG_LEVEL is not valid`)], [2, true])
    },
  )
  await check('install repairs settings, files of root, and keeps a unit that was edited by hand', () => {
    writeFileSync(at(settingsFile), settings)
    const foreign = '/var/lib/relaydeck/files-of-root'
    machine.run('sh', '-c', `touch ${foreign}; echo '# mine' >> /etc/systemd/system/relaydeck.service`)
    const { code, stdout } = machine.outcome('relaydeck', 'doctor')
    assert.equal(code, 2)
    for (const what of [`${foreign} does not belong`, 'relaydeck.service was edited by hand'])
      assert(stdout.includes(what), stdout)
    assert.match(machine.run('relaydeck', 'install'), /kept as .*relaydeck\.service\.edited/)
    assert.equal(machine.outcome('relaydeck', 'doctor').code, 1)
    assert.match(machine.run('relaydeck', 'status'), /relaydeck\.service +active/)
    machine.run('rm', foreign)
  })
}
