// Samples of projects on air, one a second from each: kept in memory, and stored for all projects of a node together. A sample
// that changes the state of its broadcast is handled as an event.
import type { SampleEvent } from '#contract/relay/events.ts'
import type { Services } from '#server/core/context.ts'
import { faultOf } from '#server/db/faults.ts'
import { healthOf } from '#server/domain/broadcasts/notices.ts'
import { storeSamples } from '#server/domain/broadcasts/samples.ts'
import type { NodeConnection } from './node-connection.ts'

/**
 * Takes a sample.
 * @returns false when it is the first one, changes the state of the broadcast, or is not of the owner: handle it as an event
 */
export function takeSample({ projects, samples }: NodeConnection, seq: number, event: SampleEvent): boolean {
  const { projectId, epoch } = event
  const before = samples.newest.get(projectId)
  const isOwned = epoch !== undefined && projects.get(projectId)?.epoch === epoch
  if (isOwned) samples.newest.set(projectId, event)
  if (!isOwned || before?.epoch !== epoch || isChange(before, event)) return false
  samples.waiting.push(event)
  samples.seq = seq
  return true
}

const isChange = (before: SampleEvent, now: SampleEvent): boolean =>
  healthOf(before.ingest) !== healthOf(now.ingest) || idsOf(before) !== idsOf(now)

const idsOf = ({ destinations }: SampleEvent): string => destinations.map(({ id }) => id).join(' ')

/** Stores the waiting samples of a node and acknowledges them. @throws while the database is unavailable */
export async function flushSamples(services: Services, connection: NodeConnection): Promise<void> {
  const { samples, node } = connection
  if (samples.waiting.length === 0) return
  const rows = samples.waiting.splice(0)
  const { seq } = samples
  await storeSamples(services, node, seq, rows).catch((error: unknown) => {
    if (faultOf(error)) throw error
    // Samples that can never be stored must not block the following ones.
    services.log.error({ err: error, node }, 'Samples of a relay node were dropped')
  })
  connection.send({ type: 'ack', seq })
}
