// A Debian root of the essential packages and systemd, made once by mmdebstrap and unpacked for each scenario.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { childOf } from '#server/testing/process.ts'
import { say } from '#scripts/house/step.ts'

/** A root folder, in which programs run by chroot with their own /proc and process ids. */
export interface DebianRoot {
  readonly folder: string
  /** Runs a program to its end. @returns its standard output @throws after another exit code than 0, with its output */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): string
  /** Starts a program. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Started
}

/** A program in a root. */
export interface Started {
  readonly child: ChildProcess
  /** Kills the program and all processes that it started, and waits for their end. */
  end(): Promise<void>
}

/** Node needs libstdc++, which is in every Debian with apt. dbus is the way to systemd from outside. */
const packages = ['systemd', 'systemd-sysv', 'dbus', 'libstdc++6', 'adduser', 'procps']
const suite = 'bookworm'
const archive = '.cache/deploy/debian.tar'
/** Age after which the root is made again, with the security updates since. */
const oldMs = 7 * 24 * 3_600_000
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Makes the archive of the root where it is missing or old. */
function ensureArchive(): void {
  if (existsSync(archive) && Date.now() - statSync(archive).mtimeMs < oldMs) return
  mkdirSync('.cache/deploy', { recursive: true })
  const part = resolve(`${archive}.part-${process.pid}.tar`)
  say(`Making a Debian root (mmdebstrap ${suite}, a minute)`)
  const args = ['--quiet', '--mode=root', '--variant=essential', `--include=${packages.join(',')}`, suite, part]
  execFileSync('mmdebstrap', args, { stdio: ['ignore', 'inherit', 'inherit'], timeout: 300_000 })
  renameSync(part, archive)
}

/** Unpacks a root into an empty folder. */
export function unpackRoot(folder: string): DebianRoot {
  ensureArchive()
  execFileSync('tar', ['-xf', archive, '-C', folder, '--numeric-owner'])
  const inside = (args: readonly string[]) => [
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    `--mount-proc=${join(folder, 'proc')}`,
    'chroot',
    folder,
    ...args,
  ]
  return {
    folder,
    run: (args, env = {}) =>
      execFileSync('unshare', inside(args), {
        encoding: 'utf8',
        env: { PATH: path, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    start(args, env = {}) {
      const child = spawn('unshare', inside(args), { env: { PATH: path, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
      return { child, end: () => endOf(child) }
    },
  }
}

/** The first process of a process namespace ends all others. A change of the user clears what `--kill-child` set. */
async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  process.kill(childOf(child.pid) || (child.pid ?? 0), 'SIGKILL')
  await closed
}
