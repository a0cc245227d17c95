// `npm run cluster`: the cluster test with a seed, or with several.
import { parseArgs } from 'node:util'
import { say } from '#scripts/house/step.ts'
import { runCluster } from './run.ts'

/**
 * Runs the cluster test: `--seed 7` (first seed), `--seeds 20` (number of seeds), `--minutes 3` (faults for each seed), `--faults
 * database,bus`. @returns the exit code
 */
export async function clusterTest(args: readonly string[]): Promise<number> {
  const options = {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '3' },
    faults: { type: 'string' },
  } as const
  const { values } = parseArgs({ args: [...args], options })
  const failed: string[] = []
  const first = Number(values.seed)
  const faults = values.faults === undefined ? [] : ['--faults', values.faults]
  for (let seed = first; seed < first + Number(values.seeds); seed++) {
    const about = ['--seed', String(seed), '--seconds', String(Number(values.minutes) * 60)]
    const { held, measured, violations, timeline } = await runCluster([...about, ...faults])
    for (const line of held) say(`seed ${seed}: ${line}`)
    for (const figure of measured) say(`seed ${seed}: ${figure.join(': ')}`)
    for (const line of [...timeline, ...violations.map((one) => `violation: ${one}`)]) console.log(line)
    if (violations.length > 0) failed.push(String(seed))
  }
  say(failed.length === 0 ? 'No invariant was violated' : `Seeds with violations: ${failed.join(', ')}`)
  return failed.length === 0 ? 0 : 1
}
