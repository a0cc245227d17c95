// Runs commands of a release. What opens data runs as the owner of the data, which `bin/relaydeck` of that release sees to.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { UpgradeError } from './upgrade-error.ts'

interface Ended {
  readonly code: number
  readonly printed: string
  /** Its last sentences on standard error. */
  readonly why: string
}

/** Runs a command of a release to its end. It survives the end of this process: a restore must not stop half-way. */
export function runRelease(folder: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(folder, 'bin', 'relaydeck'), args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let [printed, failures] = ['', '']
    child.stdout.on('data', (chunk) => (printed += String(chunk)))
    child.stderr.on('data', (chunk) => (failures += String(chunk)))
    child.once('error', (error) =>
      reject(new UpgradeError(`${child.spawnfile} does not start: ${error.message}`, { cause: error })),
    )
    child.once('close', (code, signal) => {
      const why = failures.trim().split('\n').slice(-3).join(' ')
      resolve({ code: code ?? 1, printed, why: why === '' ? `it ended with ${signal ?? code}` : why })
    })
  })
}

/** Runs a command that must succeed. @param what failed, for its sentence @returns its output */
export async function mustRun(folder: string, args: readonly string[], what: string): Promise<string> {
  const { code, printed, why } = await runRelease(folder, args)
  if (code === 0) return printed
  throw new UpgradeError(`${what}: ${why}`)
}

/** Runs a command that prints JSON in its last line. */
export async function readFrom<T extends z.ZodMiniType>(
  folder: string,
  args: readonly string[],
  what: string,
  schema: T,
): Promise<z.output<T>> {
  const printed = await mustRun(folder, args, what)
  try {
    return schema.parse(JSON.parse(printed.trim().split('\n').at(-1) ?? ''))
  } catch (error) {
    throw new UpgradeError(`${what}: ${args[0]} of ${folder} printed no answer`, { cause: error })
  }
}

/** Answer of `preflight`. Sizes are bytes. */
export const Preflight = z.object({
  /** Migrations that the release would run. */
  pending: z.array(z.string()),
  /** Migrations that keep the release from starting on this database. */
  unknown: z.array(z.string()),
  /** Whether the release knows the migration that it was asked about. */
  knows: z.boolean(),
  /** Size of the database. */
  bytes: z.number(),
  /** Room on the fullest of the disks of data and backups. */
  free: z.number(),
})
export type Preflight = z.output<typeof Preflight>

/** Answer of `written-since`: the time of the backup, and how many rows each table has more or less since. */
export const WrittenSince = z.object({ date: z.string(), changes: z.record(z.string(), z.int()) })
export type WrittenSince = z.output<typeof WrittenSince>
