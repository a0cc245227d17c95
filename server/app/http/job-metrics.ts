// Metric of jobs that need the operator.
import { Gauge, type Registry } from 'prom-client'
import type { Services } from '#server/core/context.ts'
import { countTroubledJobs } from '#server/db/jobs.ts'

/** Adds the metric `failing_jobs`. */
export function observeJobs(registry: Registry, { db }: Pick<Services, 'db'>): void {
  const jobs: Gauge<'state'> = new Gauge({
    name: 'failing_jobs',
    help: 'Jobs that failed repeatedly: parked until an operator runs them, or retrying after at least three failures',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const { parked, retrying } = await countTroubledJobs(db)
      jobs.set({ state: 'parked' }, parked)
      jobs.set({ state: 'retrying' }, retrying)
    },
  })
}
