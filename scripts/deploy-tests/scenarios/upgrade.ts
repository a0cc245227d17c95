// Upgrade and rollback of an installed machine: beside an encoder, killed at each step, above and below the floor of the schema.
import { strict as assert } from 'node:assert'
import { copyFileSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '#server/relay/testing/free-port.ts'
import { signUp } from '#server/testing/process.ts'
import { type BootedMachine, boot } from '#scripts/deploy-tests/booted-machine.ts'
import { beginBroadcast } from '#scripts/deploy-tests/broadcast.ts'
import { writeLater } from '#scripts/deploy-tests/later-release.ts'
import { poll } from '#scripts/house/poll.ts'
import { beginRequests } from '#scripts/deploy-tests/requests.ts'
import type { Stage } from '#scripts/deploy-tests/stage.ts'

export const name = 'Upgrade and rollback of an installed machine'
export const needs = ['linux', 'root', 'debian', 'mmdebstrap', 'nspawn'] as const

const shelf = '/srv/releases'
/** Versions after that of the archive. */
const [second, third] = ['90.1.0', '90.2.0']
const steps = 8

/** An installed machine, and its addresses. */
interface Installed {
  readonly machine: BootedMachine
  readonly url: string
  readonly rtmpPort: number
  readonly first: string
  /** Returns the version that the link leads to. */
  readonly current: () => string
  readonly isReady: () => Promise<unknown>
}

export async function run(stage: Stage): Promise<void> {
  const installed = await install(stage)
  await changeBesideEncoder(stage, installed)
  await killEachStep(stage, installed)
  await crossFloor(stage, installed)
}

async function install(stage: Stage): Promise<Installed> {
  const { archive, check } = stage
  const root = stage.root()
  const at = (path: string) => join(root.folder, path)
  const [port, rtmpPort] = [await freePort(), await freePort()]
  mkdirSync(at('etc/relaydeck'))
  const common = 'ALLOW_PRIVATE_DESTINATIONS=on\n'
  writeFileSync(
    at('etc/relaydeck/relaydeck.env'),
    `${common}PORT=${port}\nSIGN_UP=open\nBILLING=off\nRATE_LIMITS=off\nBACKUPS=off\n`,
  )
  writeFileSync(at('etc/relaydeck/relay.env'), `${common}RTMP_HOST=127.0.0.1\nRTMP_PORT=${rtmpPort}\nSRT_PORT=off\n`)
  const folder = at(shelf)
  mkdirSync(folder)
  const made = dirname(archive.file)
  for (const file of readdirSync(made)) copyFileSync(join(made, file), join(folder, file))
  await check('two later releases are made and signed', () => {
    writeLater(folder, archive, { version: second, tables: ['added_table'] })
    writeLater(folder, archive, { version: third, tables: ['added_table', 'other_table'], raises: true })
  })
  const machine = await check('systemd boots in systemd-nspawn', () => boot(stage, root))
  machine.run('tar', '-xzf', `${shelf}/${archive.folder}.tar.gz`, '-C', '/srv')
  machine.run(`/srv/${archive.folder}/bin/relaydeck`, 'install')
  const url = `http://127.0.0.1:${port}`
  return {
    machine,
    url,
    rtmpPort,
    first: archive.version,
    current: () => readlinkSync(at('opt/relaydeck/current')).replace('releases/', ''),
    isReady: () => poll('readiness', async () => (await fetch(`${url}/readyz`)).ok),
  }
}

const fileOf = (version: string): string => `${shelf}/relaydeck-${version}-linux-${process.arch}.tar.gz`
const relayOf = (version: string): string => `relaydeck-relay@${version}.service`
const secondsSince = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

async function changeBesideEncoder(stage: Stage, { machine, url, rtmpPort, first, current }: Installed): Promise<void> {
  const { check, measured } = stage
  const goOnAir = async (email: string) =>
    beginBroadcast({ url, token: (await signUp(url, email)).accessToken, rtmpPort, stage })
  const isActive = (version: string) => machine.outcome('systemctl', 'is-active', relayOf(version)).code === 0
  const broadcast = await check('an encoder is on air', () => goOnAir('ann@example.com'))
  const requests = beginRequests(`${url}/healthz`)
  await check('a disk that becomes full while unpacking leaves the release in use, and nothing else', async () => {
    const { code, message, left } = await fillWhileUnpacking(machine, first)
    assert.equal(code, 1, message)
    assert.match(
      message,
      new RegExp(`^2/8[^]*The disk of /opt/relaydeck/releases is full\\. ${first} stays in use`, 'm'),
    )
    assert.deepEqual([left, current()], [[first], first])
  })
  await check('upgrade installs a release that adds a table, and starts its relay beside the one on air', async () => {
    const since = performance.now()
    await machine.during('relaydeck', 'upgrade', fileOf(second))
    measured('upgrade', secondsSince(since))
    assert.equal(current(), second)
    assert.deepEqual([first, second].map(isActive), [true, true])
  })
  await check('rollback uses the new schema, and the relay on air accepts again', async () => {
    const since = performance.now()
    await machine.during('relaydeck', 'rollback')
    measured('rollback', secondsSince(since))
    assert.equal(current(), first)
    await poll('the end of the newer relay', () => !isActive(second))
  })
  const { answered, failures, longestMs } = await requests.stop()
  measured(
    'requests over upgrade and rollback',
    `${answered} answered, ${failures.length} failed, longest ${(longestMs / 1000).toFixed(1)} s`,
  )
  await check('upgrade and rollback refuse no request', () => assert.deepEqual(failures, []))
  const { sent, lost, connections } = await broadcast.end()
  measured('frames over upgrade and rollback', `${sent} sent, ${lost} lost`)
  await check('upgrade and rollback lose no frame, and the relay accepts the next encoder', async () => {
    assert.deepEqual({ lost, connections }, { lost: 0, connections: 1 })
    const next = await goOnAir('bob@example.com')
    await next.end()
    assert(isActive(first))
  })
}

/**
 * Upgrades on a disk of its own, which another program fills as soon as the archive is being unpacked. Afterwards the usual disk is
 * back.
 * @returns exit code and output, and what is in the folder of releases
 */
async function fillWhileUnpacking(machine: BootedMachine, first: string) {
  const releases = '/opt/relaydeck/releases'
  const printed = await machine.during(
    'sh',
    '-c',
    `set -e
    mkdir /srv/small
    # Room for the check before: 400 MB.
    mount -t tmpfs -o "size=$(($(du -sm ${releases}/${first} | cut -f1) + 450))m,mode=755" none /srv/small
    cp -a ${releases}/${first} /srv/small/
    mount --bind /srv/small ${releases}
    relaydeck upgrade ${fileOf(second)} > /srv/log 2>&1 & pid=$!
    until [ -d ${releases}/.incoming ] || ! kill -0 $pid 2> /dev/null; do sleep 0.01; done
    cat /dev/zero > ${releases}/filler 2> /dev/null || true
    code=0; wait $pid || code=$?
    rm ${releases}/filler
    echo $code $(ls -A ${releases})
    cat /srv/log
    umount ${releases}
    umount /srv/small`,
  )
  const [head = '', ...lines] = printed.split('\n')
  const [code = '', ...left] = head.split(' ')
  return { code: Number(code), left, message: lines.join('\n') }
}

/** Runs a command, and kills it when it begins a step. @returns its exit code */
const killAt = (machine: BootedMachine, step: number, command: string): string =>
  machine
    .run(
      'sh',
      '-c',
      `relaydeck ${command} > /srv/log 2>&1 & pid=$!
      until grep -q '^${step}/${steps}' /srv/log || ! kill -0 $pid 2> /dev/null; do sleep 0.01; done
      kill -9 $pid; wait $pid; echo $?; cat /srv/log >&2`,
    )
    .trim()

/** Each run begins where the killed one was: up to the fifth step anew, after it in the step that was killed. */
async function killEachStep(stage: Stage, { machine, first, current, isReady }: Installed): Promise<void> {
  const command = `upgrade ${fileOf(second)}`
  const since = performance.now()
  for (let step = 1; step <= steps; step++)
    await stage.check(`killed at step ${step}, an upgrade leaves a release that is ready`, async () => {
      // The last step is short: it can end before the kill.
      assert.ok((step === steps ? ['137', '0'] : ['137']).includes(killAt(machine, step, command)))
      await isReady()
      assert.equal(current(), step <= 5 ? first : second)
    })
  await stage.check('repeated, the upgrade ends', async () => {
    const { code, stderr } = machine.outcome('relaydeck', 'upgrade', fileOf(second))
    assert.ok(code === 0 || stderr.includes('is already in use'), stderr)
    await isReady()
    assert.equal(current(), second)
    assert.equal(machine.outcome('systemctl', 'is-active', relayOf(second)).code, 0)
  })
  stage.measured('an upgrade with eight kills', secondsSince(since))
}

/** A release above the floor: rollback refuses, lists losses, and restores. */
async function crossFloor(stage: Stage, { machine, url, current, isReady }: Installed): Promise<void> {
  const { check } = stage
  await check('killed while it holds the service, an upgrade lets it start again', async () => {
    assert.equal(killAt(machine, 5, `upgrade ${fileOf(third)}`), '137')
    await isReady()
    assert.equal(current(), second)
  })
  await check('an upgrade raises the floor', async () => {
    machine.run('relaydeck', 'upgrade', fileOf(third))
    await isReady()
    assert.equal(current(), third)
  })
  await signUp(url, 'lost@example.com')
  await check('rollback below the floor lists what would be lost, and changes nothing', () => {
    const { code, stderr } = machine.outcome('relaydeck', 'rollback')
    assert.deepEqual([code, /users: 1 more rows/.test(stderr), /--restore/.test(stderr)], [1, true, true], stderr)
    assert.equal(current(), third)
  })
  await check('rollback --restore brings back the release and its data', async () => {
    machine.run('relaydeck', 'rollback', '--restore')
    await isReady()
    assert.equal(current(), second)
    // The address is free again.
    await signUp(url, 'lost@example.com')
  })
}
