// A Debian root booted by systemd-nspawn: a machine with systemd, on the network of this one.
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { childOf } from '#server/testing/process.ts'
import type { DebianRoot } from './debian-root.ts'
import { poll } from '#scripts/house/poll.ts'
import type { Stage } from './stage.ts'

/** A booted machine. It ends with the scenario. */
export interface BootedMachine {
  /** Runs a program to its end. @returns its standard output @throws after another exit code than 0, with its output */
  run(...args: readonly string[]): string
  /** Runs a program without blocking this process, which may be an encoder meanwhile. @returns as `run` @throws as `run` */
  during(...args: readonly string[]): Promise<string>
  /** Runs a program that may fail. */
  outcome(...args: readonly string[]): { readonly code: number; readonly stdout: string; readonly stderr: string }
}

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Boots a root, and waits until its systemd has started all units.
 * @param network `shared`: that of this machine; `own`: a loopback of its own, on which every port is free
 */
export async function boot(
  stage: Stage,
  root: DebianRoot,
  network: 'shared' | 'own' = 'shared',
): Promise<BootedMachine> {
  // Linked to its own console, it would write to the terminal of the run.
  const usual = ['--quiet', '--register=no', '--keep-unit', '--console=pipe', '--boot', '-D', root.folder]
  const args = network === 'own' ? ['--private-network', ...usual] : usual
  const nspawn = spawn('systemd-nspawn', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [nspawn.stdout, nspawn.stderr]) stream.on('data', (chunk) => (printed += String(chunk)))
  let leader = 0
  stage.onClose(async () => {
    if (nspawn.exitCode !== null) return
    const ended = once(nspawn, 'exit')
    process.kill(leader || (nspawn.pid ?? 0), 'SIGKILL')
    await ended
  })
  const inside = (...words: readonly string[]) => ['-t', String(leader), '-a', '-r', '-w', '--', ...words]
  const env = { PATH: path, LANG: 'C.UTF-8' }
  const outcome = (...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('nsenter', inside(...words), { encoding: 'utf8', env })
    return { code: status ?? 1, stdout, stderr }
  }
  await poll(`the boot of systemd in systemd-nspawn, which printed: ${printed.slice(-500)}`, () => {
    if (nspawn.exitCode !== null) throw new Error(`systemd-nspawn ended: ${printed.slice(-500)}`)
    const child = childOf(nspawn.pid)
    if (child === 0 || readFileSync(`/proc/${child}/comm`, 'utf8').trim() !== 'systemd') return false
    leader = child
    return ['running', 'degraded'].includes(outcome('systemctl', 'is-system-running').stdout.trim())
  })
  return {
    outcome,
    during: async (...words) => (await promisify(execFile)('nsenter', inside(...words), { env })).stdout,
    run: (...words) =>
      execFileSync('nsenter', inside(...words), { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] }),
  }
}
