// Broadcast events as a relay node sends them, without a node.
import type { DestinationReport, RecordingReport } from '#contract/relay/reports.ts'
import type { RelayEvent } from '#contract/relay/events.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import type { OnAir } from '#contract/entities/on-air.ts'
import { handleEvent } from '#server/domain/broadcasts/broadcasts.ts'
import { untouched } from '#server/domain/broadcasts/live-facts.ts'
import type { Person, World } from './test-app.ts'

type WithoutOrigin<F> = F extends unknown ? Omit<F, 'projectId' | 'at'> : never

/** A node and its event functions: numbered events at the time of the world's clock. */
export function someNodeOf({ services, clock }: Pick<World, 'services' | 'clock'>, name = 'node') {
  let seq = 0
  const report = (projectId: number, fact: WithoutOrigin<RelayEvent>) =>
    handleEvent(services, name, ++seq, { ...fact, projectId, at: clock.now().getTime() } as RelayEvent)
  return {
    tell: report,
    begin: (projectId: number) => report(projectId, { type: 'source-began', encoder: 'OBS', address: '192.0.2.1' }),
    end: (projectId: number) => report(projectId, { type: 'ended' }),
    /** Reports the state of a channel. */
    channel: (
      projectId: number,
      id: number,
      state: DestinationReport['state'],
      facts: Partial<DestinationReport> = {},
    ) =>
      report(projectId, {
        type: 'destination',
        report: { ...untouched, id, state, since: clock.now().getTime(), ...facts },
      }),
    /** Reports one second at this bitrate in kbps. */
    second: (projectId: number, kbps: number) =>
      report(projectId, {
        type: 'sample',
        ingest: { kbps, fps: 30, gopMs: 2000, videoCodec: 'avc1', audioCodec: 'mp4a', width: 1920, height: 1080 },
        destinations: [],
      }),
  }
}

/** Finished recording as a node reports it. @param startedAt milliseconds */
export function someFile(projectId: number, startedAt: number, facts: Partial<RecordingReport> = {}): RecordingReport {
  const name = `${projectId}/${new Date(startedAt).toISOString().replaceAll(':', '-')}`
  const done = { state: 'ready', reason: null, bytes: 1_500_000_000, durationMs: 3_600_000 } as const
  return { name, file: `${name}.mp4`, startedAt, ...done, ...facts }
}

/** Returns the on-air status of a user's project. */
export const onAirOf = async ({ api }: Pick<World, 'api'>, person: Person): Promise<OnAir> =>
  (await api(broadcasts.status, { project_id: person.projectId }, { as: person })).body as OnAir

/** Puts a user's project on air at a node. @returns the input of operations on that broadcast */
export async function beginBroadcast(world: Pick<World, 'api'>, person: Person, node: ReturnType<typeof someNodeOf>) {
  await node.begin(person.projectId)
  const { broadcast_id } = await onAirOf(world, person)
  return { project_id: person.projectId, broadcast_id }
}
