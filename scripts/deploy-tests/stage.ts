// What a scenario is given: the archive, Debian roots, checks, and its measurements.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { KeyObject } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { say } from '#scripts/house/step.ts'
import type { Files } from '#scripts/release/contents.ts'
import { add, nothing, ofExitCode, type Tally } from '#scripts/house/tally.ts'
import type { ReleaseFacts } from '#server/app/ops/release.ts'
import { type DebianRoot, unpackRoot } from './debian-root.ts'

/** The signed archive of this run. */
export interface Archive {
  readonly file: string
  /** Name of its only folder. */
  readonly folder: string
  readonly version: string
  /** Signs further releases of a scenario. */
  readonly key: KeyObject
  /** Files and facts, for releases that differ: change a copy, then `pack` and `write` of scripts/release/main.ts. */
  readonly files: Files
  readonly facts: ReleaseFacts
}

/** Makes the stage of one scenario. @param folder empty folder, which the run removes */
export function stageIn(folder: string, archive: Archive) {
  let tally: Tally = nothing
  const closing: (() => Promise<void> | void)[] = []
  const fail = (sentence: string) => (tally = add(tally, { ...ofExitCode(1), failures: [sentence] }))
  return {
    folder,
    archive,
    /** Runs one check, which counts. A failure ends the scenario. */
    async check<T>(title: string, work: () => Promise<T> | T): Promise<T> {
      try {
        const result = await work()
        tally = add(tally, ofExitCode(0))
        say(`  ${title}`)
        return result
      } catch (error) {
        fail(`${title}: ${(error as Error).message}`)
        throw error
      }
    },
    fail,
    /** Prints a figure. */
    measured: (what: string, value: string) => say(`  measured: ${what}: ${value}`),
    /** Unpacks a Debian root of the essential packages with systemd. @param name of its folder */
    root(name = 'root'): DebianRoot {
      const at = join(folder, name)
      mkdirSync(at)
      return unpackRoot(at)
    },
    /** Registers an end of a program that the scenario started; the last one runs first. */
    onClose: (end: () => Promise<void> | void) => closing.push(end),
    async close(): Promise<void> {
      for (const end of closing.splice(0).toReversed()) await end()
    },
    tally: () => tally,
  }
}

/** The stage of a scenario. */
export type Stage = ReturnType<typeof stageIn>

/** Kills a program, unless it has ended. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
