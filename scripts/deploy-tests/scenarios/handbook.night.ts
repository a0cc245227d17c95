// The commands of the handbook, typed in their order on a Debian with systemd and without Node. pebble stands for Let's Encrypt.
import { strict as assert } from 'node:assert'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { selfSigned } from '#server/relay/testing/programs.ts'
import { type BootedMachine, boot } from '#scripts/deploy-tests/booted-machine.ts'
import { writeLater } from '#scripts/deploy-tests/later-release.ts'
import { poll } from '#scripts/house/poll.ts'
import type { Stage } from '#scripts/deploy-tests/stage.ts'

export const name = 'Handbook, typed on a Debian with systemd, without Node'
export const needs = ['linux', 'root', 'debian', 'mmdebstrap', 'nspawn', 'pebble'] as const

const article = 'handbook/en/server/operating.md'
const directory = 'https://localhost:14000/dir'

export async function run(stage: Stage): Promise<void> {
  const { archive, check } = stage
  const root = stage.root()
  const at = (path: string) => join(root.folder, path)
  const next = join(stage.folder, 'next')
  writeLater(next, archive, { version: nextVersion(archive.version), tables: [] })
  for (const folder of [dirname(archive.file), next])
    for (const file of readdirSync(folder)) copyFileSync(join(folder, file), at(`srv/${file}`))
  // The authority of the test instead of Let's Encrypt: the only setting that the handbook does not name.
  mkdirSync(at('etc/relaydeck'))
  // An installed Debian has this file, a root of packages has not.
  writeFileSync(at('etc/hosts'), '127.0.0.1 localhost\n')
  writeFileSync(
    at('etc/relaydeck/relaydeck.env'),
    `ACME_DIRECTORY=${directory}\nNODE_EXTRA_CA_CERTS=/srv/authority.pem\n`,
  )
  const machine = await check('systemd boots in a network of its own', () => boot(stage, root, 'own'))
  await check('an authority runs', () => startAuthority(stage, machine, at))
  for (const block of blocksOf(readFileSync(article, 'utf8'))) {
    const typed = block.replaceAll('1.2.0', archive.version).replaceAll('1.3.0', nextVersion(archive.version))
    await check(typed.trim().split('\n').join('; '), () => type(machine, typed))
  }
}

/** Returns the next minor version. */
function nextVersion(version: string): string {
  const [major = '0', minor = '0'] = version.split('.')
  return `${major}.${Number(minor) + 1}.0`
}

/** Returns the blocks of commands of a text. */
const blocksOf = (text: string): string[] =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)

/** Types a block. `doctor` may find that ffmpeg is missing, and nothing else. */
function type(machine: BootedMachine, block: string): void {
  const { code, stdout, stderr } = machine.outcome('sh', '-e', '-c', `cd /srv\n${block}`)
  const said = `${stdout}\n${stderr}`
  if (!block.includes('doctor')) return assert.equal(code, 0, said)
  assert.equal(code, 1, said)
  assert.match(stdout, /^warning: ffmpeg is missing[^\n]*\n[^\n]*\n1 findings$/m)
}

/** Starts pebble and its DNS double, in which each name leads to the machine. */
async function startAuthority(stage: Stage, machine: BootedMachine, at: (path: string) => string): Promise<void> {
  const { cert, key } = await selfSigned(stage.folder)
  copyFileSync(cert, at('srv/authority.pem'))
  chmodSync(at('srv/authority.pem'), 0o644)
  copyFileSync(key, at('srv/authority.key'))
  for (const program of ['pebble', 'pebble-challtestsrv']) {
    copyFileSync(`/usr/bin/${program}`, at(`usr/local/bin/${program}`))
    chmodSync(at(`usr/local/bin/${program}`), 0o755)
  }
  const pebble = {
    listenAddress: '127.0.0.1:14000',
    managementListenAddress: '127.0.0.1:15000',
    certificate: '/srv/authority.pem',
    privateKey: '/srv/authority.key',
    httpPort: 80,
    tlsPort: 443,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
  }
  writeFileSync(at('srv/pebble.json'), JSON.stringify({ pebble }))
  const names = ['-defaultIPv4', '127.0.0.1', '-defaultIPv6', '', '-dns01', '127.0.0.1:8053']
  const off = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-management', '127.0.0.1:8055']
  machine.run('systemd-run', '-q', '/usr/local/bin/pebble-challtestsrv', ...names, ...off)
  const given = ['/usr/local/bin/pebble', '-config', '/srv/pebble.json', '-dnsserver', '127.0.0.1:8053']
  machine.run('systemd-run', '-q', '--setenv=PEBBLE_VA_NOSLEEP=1', ...given)
  const listens = 'exec 3<>/dev/tcp/127.0.0.1/14000'
  await poll('pebble', () => machine.outcome('bash', '-c', listens).code === 0, 30)
}
