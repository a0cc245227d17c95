// Cluster test: two replicas and two relay nodes under faults by seed (scripts/cluster).
import { strict as assert } from 'node:assert'
import { buildPlanted, planted, plantedPrograms } from '#scripts/cluster/planted.ts'
import { type ClusterReport, runCluster } from '#scripts/cluster/run.ts'
import type { Stage } from '#scripts/deploy-tests/stage.ts'

export const name = 'Cluster under faults'
export const needs = ['linux', 'root', 'haproxy', 'nats', 'ip', 'nft', 'faketime'] as const

/** Its faults are the same for each commit, so that a failure is of the change; `npm run test:nightly` runs other seeds. */
const usualSeed = '1'
/** Seconds of faults for one seed. */
const seconds = 60

export async function run(stage: Stage): Promise<void> {
  const seed = process.env['CLUSTER_SEED'] ?? usualSeed
  stage.measured('seed', seed)
  await judge(stage, await runCluster(['--seed', seed, '--seconds', String(seconds)]))
  await findPlanted(stage)
}

/** Counts each invariant that held, and fails with the violations and the timeline. */
async function judge({ check, measured }: Stage, { held, measured: figures, violations, timeline }: ClusterReport) {
  for (const title of held) await check(title, () => undefined)
  for (const [what, value] of figures) measured(what, value)
  for (const line of timeline) console.log(line)
  await check('no invariant was violated', () => assert.deepEqual(violations, []))
}

/** Faults under which the planted mistakes show: a node that wakes up after its lease, and an unreachable database. */
const revealing = 'pause-relay-long,database'

/** Runs a build with mistakes, each of which another invariant must find. */
async function findPlanted({ check }: Stage): Promise<void> {
  const names = Object.keys(planted)
  await check('a build with mistakes is made', async () => assert.equal(await buildPlanted(names), 0))
  const args = ['--seed', '1', '--seconds', '36', '--settled', '15', '--faults', revealing]
  const { violations } = await runCluster([...args, '--programs', plantedPrograms])
  for (const [title, { invariant }] of Object.entries(planted))
    await check(`the planted mistake is found: ${title}`, () =>
      assert.ok(
        violations.some((one) => one.startsWith(invariant)),
        violations.join('\n'),
      ),
    )
}
