// Samples of projects on air, one a second from each: kept in memory, and stored for all projects of a node together. A sample
// that changes the state of its broadcast is handled as an event.
import { Sample, type SampleEvent } from '#contract/relay/events.ts'
import type { FromNode } from '#contract/relay/from-node.ts'
import type { MessageOf } from '#contract/relay/protocol.ts'
import type { Services } from '#server/core/context.ts'
import { faultOf } from '#server/db/faults.ts'
import { storeSamples } from '#server/domain/broadcasts/samples.ts'
import type { NodeConnection } from './node-connection.ts'

/** Returns the samples of a message. Parts wait for the last one; impossible values drop their sample alone. */
export function readSamples(
  { log }: Pick<Services, 'log'>,
  { samples }: MessageOf<FromNode, 'samples'>,
  { node, samples: { parts } }: NodeConnection,
): readonly SampleEvent[] {
  return samples.flatMap((sent): readonly SampleEvent[] => {
    const read = Sample.safeParse(sent)
    if (!read.success) {
      log.warn({ node }, 'A relay node sent a sample with an impossible value')
      return []
    }
    const { isPart = false, ...sample } = read.data
    const { projectId, at } = sample
    const before = parts.get(projectId)
    const destinations = [...(before?.at === at ? before.destinations : []), ...sample.destinations]
    if (isPart) parts.set(projectId, { at, destinations })
    else parts.delete(projectId)
    return isPart ? [] : [{ type: 'sample', ...sample, destinations }]
  })
}

/**
 * Takes a sample.
 * @returns false when it is the first one, changes the state of the broadcast, or is not of the owner: handle it as an event
 */
export function takeSample({ projects, samples }: NodeConnection, event: SampleEvent): boolean {
  const { projectId, epoch } = event
  const before = samples.newest.get(projectId)
  const isOwned = epoch !== undefined && projects.get(projectId)?.epoch === epoch
  if (isOwned) {
    samples.newest.set(projectId, event)
    samples.newestAt = performance.now()
  }
  if (!isOwned || before?.epoch !== epoch || isChange(before, event)) return false
  samples.waiting.push(event)
  return true
}

const isChange = (before: SampleEvent, now: SampleEvent): boolean => idsOf(before) !== idsOf(now)

const idsOf = ({ destinations }: SampleEvent): string => destinations.map(({ id }) => id).join(' ')

/** Stores the waiting samples of a node and acknowledges them. @throws while the database is unavailable */
export async function flushSamples(services: Services, connection: NodeConnection): Promise<void> {
  const { samples, node } = connection
  await samples.flushing
  const { ack } = samples
  samples.ack = null
  const rows = samples.waiting.splice(0)
  if (rows.length > 0) {
    const stored = storeSamples(services, node, rows).catch((error: unknown) => {
      if (faultOf(error)) throw error
      // Samples that can never be stored must not block the following ones.
      services.log.error({ err: error, node }, 'Samples of a relay node were dropped')
    })
    samples.flushing = stored.catch(() => undefined)
    await stored
  }
  if (ack) connection.send(ack)
}
