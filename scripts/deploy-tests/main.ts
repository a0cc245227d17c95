// `npm run test:deploy`: builds a signed archive once, runs the scenarios on it, and prints what each measured.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '#scripts/house/build.ts'
import { atEnd, say } from '#scripts/house/step.ts'
import { add, line, nothing, ofExitCode, type Tally } from '#scripts/house/tally.ts'
import { makeArchive } from './archive.ts'
import { lacksOf, type Need } from './needs.ts'
import { type Archive, type Stage, stageIn } from './stage.ts'

/** A file of `scenarios`. */
export interface Scenario {
  /** Title in the output. */
  readonly name: string
  /** Tools and rights of the machine. Without them the scenario is skipped, or fails where `CI` is set. */
  readonly needs: readonly Need[]
  readonly run: (stage: Stage) => Promise<void>
}

const folder = 'scripts/deploy-tests/scenarios'
let running: Stage | null = null
const secondsSince = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

/**
 * Runs the scenarios whose file name contains one of the words; without words all but those of the night.
 * @returns the exit code
 */
export async function deployTests(words: readonly string[]): Promise<number> {
  const since = performance.now()
  const isMeant = (file: string): boolean =>
    words.length === 0 ? !file.endsWith('.night.ts') : words.some((word) => file.includes(word))
  const files = readdirSync(folder).filter(isMeant)
  const work = mkdtempSync(join(tmpdir(), 'relaydeck-deploy-'))
  const clean = atEnd(async () => {
    // A signal ends what the running scenario has started.
    await running?.close()
    rmSync(work, { recursive: true, force: true, maxRetries: 3 })
  })
  let total = nothing
  try {
    const code = await ensureBuilt()
    if (code !== 0) return code
    const archive = await makeArchive(join(work, 'release'))
    say(`The archive was made in ${secondsSince(since)}`)
    for (const file of files.toSorted()) total = add(total, await runScenario(file, archive, work))
  } catch (error) {
    console.error(error)
    total = add(total, ofExitCode(1))
  } finally {
    await clean()
  }
  if (total.passed + total.failed + total.skipped === 0) {
    console.error(`No scenario matches ${words.join(', ')}. There are: ${readdirSync(folder).join(', ')}`)
    return 2
  }
  for (const name of total.failures) say(`failed: ${name}`)
  say(`test:deploy took ${secondsSince(since)}`)
  console.log(line(total))
  return total.failed === 0 ? 0 : 1
}

async function runScenario(file: string, archive: Archive, work: string): Promise<Tally> {
  const { name, needs, run } = (await import(`./scenarios/${file}`)) as Scenario
  const since = performance.now()
  say(name)
  const { lacks, canInstall } = await lacksOf(needs)
  if (lacks.length > 0) {
    const sentence = `${name}: ${lacks.join('. ')}`
    if (process.env['CI'] && canInstall) return { ...ofExitCode(1), failures: [sentence] }
    say(`skipped: ${sentence}`)
    return { ...nothing, skipped: 1 }
  }
  const own = join(work, file.replace(/\.ts$/, ''))
  mkdirSync(own)
  const stage = stageIn(own, archive)
  running = stage
  try {
    await run(stage)
    if (stage.tally().passed === 0) throw new Error('The scenario has no checks')
  } catch (error) {
    console.error(error)
    if (stage.tally().failed === 0) stage.fail(`${name}: ${(error as Error).message}`)
  } finally {
    await stage.close()
  }
  say(`${name}: ${line(stage.tally())} (${secondsSince(since)})`)
  return stage.tally()
}
