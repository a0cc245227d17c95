// Images for both architectures, compose with a stream, and the archive for ARM64 under qemu.
import { strict as assert } from 'node:assert'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { freePort } from '#server/relay/testing/free-port.ts'
import { signUp } from '#server/testing/process.ts'
import { makeArchive } from '#scripts/deploy-tests/archive.ts'
import { poll } from '#scripts/house/poll.ts'
import { kill, type Stage } from '#scripts/deploy-tests/stage.ts'

export const name = 'Images for both architectures, compose, and ARM64 under qemu'
export const needs = [
  'linux',
  'root',
  'debian',
  'mmdebstrap',
  'buildah',
  'podman',
  'crun',
  'podman-compose',
  'netavark',
  'aardvark-dns',
  'iptables',
  'qemu',
  'ffmpeg',
] as const

/** Settings of podman on a machine without systemd, and with smaller limits than it asks for. */
const containersConf = `[containers]
cgroups="disabled"
default_ulimits=["nofile=1024:1024","nproc=4096:4096"]
[network]
network_backend="netavark"
[engine]
cgroup_manager="cgroupfs"
runtime="crun"
events_logger="file"
`

export async function run(stage: Stage): Promise<void> {
  const { archive, check, folder } = stage
  const env = { ...process.env, ...storage(folder) }
  const tool = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
  const build = (file: string, tag: string) => tool('sh', 'deploy/image/build.sh', '--slim', file, tag)
  const since = performance.now()
  const layerOf = (tag: string) =>
    tool('buildah', 'inspect', '--type', 'image', '--format', '{{.Docker.RootFS.DiffIDs}}', tag)
  await check('the image is built without running anything in it', () => build(archive.file, 'relaydeck:test'))
  stage.measured('build of the image', `${((performance.now() - since) / 1000).toFixed(1)} s`)
  await check('its layer has the same digest twice', () => {
    build(archive.file, 'relaydeck:again')
    assert.match(layerOf('relaydeck:test'), /^\[sha256:[0-9a-f]{64}\]$/)
    assert.equal(layerOf('relaydeck:again'), layerOf('relaydeck:test'))
  })
  await compose(stage, env)
  const other = await makeArchive(join(folder, 'arm64'), 'arm64', archive.key)
  await check('the image for ARM64 is built on this machine', () => {
    build(other.file, 'relaydeck:arm64')
    assert.equal(tool('buildah', 'inspect', '--format', '{{.OCIv1.Architecture}}', 'relaydeck:arm64'), 'arm64')
  })
  const container = tool('buildah', 'from', '--arch', 'arm64', 'relaydeck:arm64')
  stage.onClose(() => void tool('buildah', 'rm', container))
  await emulate(stage, tool('buildah', 'mount', container), other.folder)
}

/** Keeps images and containers below the folder of the scenario. */
function storage(folder: string): Readonly<Record<string, string>> {
  const file = (path: string, content: string): string => {
    writeFileSync(join(folder, path), content)
    return join(folder, path)
  }
  const roots = `graphroot="${join(folder, 'storage')}"\nrunroot="${join(folder, 'running')}"`
  return {
    CONTAINERS_CONF: file('containers.conf', containersConf),
    CONTAINERS_STORAGE_CONF: file('storage.conf', `[storage]\ndriver="overlay"\n${roots}\n`),
  }
}

/** Runs inside-compose.ts in namespaces of its own: networks of containers leave rules of the firewall. */
async function compose({ check, measured }: Stage, env: NodeJS.ProcessEnv): Promise<void> {
  const program = resolve('scripts/deploy-tests/inside-compose.ts')
  const unified = '/sys/fs/cgroup/unified'
  // crun refuses a machine with both kinds of control groups.
  const leave = existsSync(unified) ? `mount --make-rprivate / && umount ${unified} && ` : ''
  const inner = `${leave}exec "$0" "$@"`
  const args = ['--mount', '--net', 'sh', '-c', inner, process.execPath, program, 'localhost/relaydeck:test']
  const child = spawn('unshare', args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [printed, failures] = ['', '']
  child.stdout.on('data', (chunk) => (printed += String(chunk)))
  child.stderr.on('data', (chunk) => (failures += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  for (const line of printed.split('\n')) {
    if (line.startsWith('ok ')) await check(`compose: ${line.slice(3)}`, () => undefined)
    if (line.startsWith('measured ')) measured(...(line.slice(9).split(': ') as [string, string]))
  }
  await check('compose: all checks were made', () => assert.equal(code, 0, failures.slice(-2_000)))
}

/** Starts service and relay for ARM64 under qemu-user, by its program: the kernel need not know the format. */
async function emulate({ check, measured, onClose, folder }: Stage, root: string, release: string): Promise<void> {
  copyFileSync('/usr/bin/qemu-aarch64-static', join(root, 'qemu'))
  for (const each of ['data', 'data/recordings']) mkdirSync(join(root, each), { recursive: true })
  const start = (program: string, env: Readonly<Record<string, string>>) => {
    const inside = ['chroot', root, '/qemu', `/opt/${release}/bin/node`, `/opt/${release}/dist/service/${program}.js`]
    const args = ['--mount', '--pid', '--fork', '--kill-child', `--mount-proc=${join(root, 'proc')}`, ...inside]
    const path = { PATH: process.env['PATH'] ?? '' }
    const child = spawn('unshare', args, { cwd: folder, env: { ...path, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)))
    onClose(() => kill(child))
    return () => {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${printed.slice(-500)}`)
      return printed
    }
  }
  const [port, rtmp] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const since = performance.now()
  const common = {
    DATA_DIR: '/data',
    RECORDINGS_DIR: '/data/recordings',
    RELAY_TOKEN: 'a-token-of-32-characters-at-least',
  }
  const service = start('service', { ...common, PORT: String(port), RELAY: 'off', BACKUPS: 'off', SIGN_UP: 'open' })
  await check('ARM64: the service is ready', () =>
    poll('readiness', async () => service() !== null && (await fetch(`${url}/readyz`)).ok, 240),
  )
  measured('ARM64 under qemu until ready', `${((performance.now() - since) / 1000).toFixed(1)} s`)
  await check('ARM64: a password is hashed', () => signUp(url, 'ann@example.com'))
  const ports = {
    SERVICE_URL: `ws://127.0.0.1:${port}/relay`,
    RTMP_PORT: String(rtmp),
    RTMPS_PORT: '0',
    SRT_PORT: 'off',
  }
  const relay = start('relay', { ...common, ...ports, RELAY_NAME: 'arm' })
  await check('ARM64: the relay listens and connects', () =>
    poll('the relay', () => relay() !== null && service().includes('A relay node has connected'), 240),
  )
}
