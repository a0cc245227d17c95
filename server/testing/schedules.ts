// Schedules in tests: films of the library, relay nodes that play, and time that passes for clock and jobs.
import { scheduler } from '#contract/areas/broadcasts/scheduler.ts'
import type { Input } from '#contract/core/operation.ts'
import type { DesiredPlay } from '#contract/entities/play.ts'
import type { Services } from '#server/core/context.ts'
import type { SentReport } from '#server/domain/ingest/report.ts'
import { createRunJob } from '#server/domain/broadcasts/run-job.ts'
import { admitPlay, notePlay, type PlayReport } from '#server/domain/broadcasts/plays.ts'
import { scheduleRunsJob } from '#server/domain/broadcasts/schedules.ts'
import { readStreamKey } from '#server/domain/ingest/stream-keys.ts'
import type { MediaRow } from '#server/domain/media/store.ts'
import { addSomeFilm } from './films.ts'
import { ageJobs, runJobs } from './jobs.ts'
import { report } from './nodes.ts'
import { someNodeOf } from './on-air.ts'
import type { Person, World } from './test-app.ts'

/** Adds a film of ten seconds to the library of a project. @returns its id */
export const someFilm = async (
  { services }: Pick<World, 'services'>,
  projectId: number,
  about: Partial<MediaRow> = {},
): Promise<number> =>
  (await addSomeFilm(services, projectId, { name: 'Film', bytes: 1_000_000, duration_ms: 10_000, ...about })).id

type NewSchedule = Partial<Input<typeof scheduler.create>>

/** Schedules of a person's project, at nodes whose messages a test sends. */
export function scheduleStage(world: World, person: Person) {
  const { clock, app } = world
  const connected = new Map<string, Partial<SentReport>>()
  /** Signs in again as time passes. */
  let me = person
  const sent = new Map<string, readonly DesiredPlay[]>()
  const events = new Map<string, ReturnType<typeof someNodeOf>>()
  const services: Services = {
    ...world.services,
    relay: {
      ...world.services.relay,
      has: (node) => connected.has(node),
      play: (node, plays) => void (connected.has(node) && sent.set(node, plays)),
    },
  }
  const runJob = createRunJob(() => undefined)
  const projectId = person.projectId
  const inProject = { project_id: projectId }
  const nodeNamed = (name: string) => {
    const known = events.get(name) ?? someNodeOf(world, name)
    events.set(name, known)
    return known
  }
  const work = (by: Services = services) => runJobs(by, [scheduleRunsJob, runJob])
  const get = async (id: number) => (await world.api(scheduler.get, { ...inProject, id }, { as: me })).body
  return {
    services,
    /** Runs the jobs that are due. */
    work,
    /** Connects a node. */
    async connect(name: string, changes: Partial<SentReport> = {}) {
      connected.set(name, changes)
      await report(services, { node: name, plays: true, ...changes })
    },
    disconnect: (name: string) => void connected.delete(name),
    /** Lets time pass while no job runs, as for a service that is away. */
    async pass(seconds: number) {
      clock.advance(seconds * 1000)
      await ageJobs(app.db, seconds * 1000)
      for (const [name, changes] of connected) await report(services, { node: name, plays: true, ...changes })
      me = await world.signIn(person)
    },
    /** What a node has to play. */
    playsOf: (name: string) => sent.get(name) ?? [],
    node: nodeNamed,
    /** Reports the state of a play. */
    note: (name: string, run: number, state: PlayReport['state'], about: Partial<PlayReport> = {}) =>
      notePlay(services, name, { projectId, run, state, words: '', ...about }),
    /** Requests the admission of a play, and reports that it is on air. */
    async begin(name: string, run: number) {
      const { key } = await readStreamKey(services, projectId)
      const verdict = await admitPlay(services, { run, key, node: name, isFull: false })
      if ('refuse' in verdict) return verdict.refuse
      const source = { encoder: 'scheduler', address: '', play: run, epoch: verdict.epoch }
      await nodeNamed(name).tell(projectId, { type: 'source-began', ...source })
      await notePlay(services, name, { projectId, run, state: 'live', words: '', item: 0 })
      return 'live' as const
    },
    /** Creates a schedule; by default it begins in ten minutes. @returns its id */
    async create(input: NewSchedule & Pick<Input<typeof scheduler.create>, 'video'>): Promise<number> {
      const start_at = Math.floor(clock.now().getTime() / 1000) + 600
      const { body, error } = await world.api(
        scheduler.create,
        { ...inProject, channel_ids: [], start_at, ...input },
        { as: me },
      )
      if (error) throw new Error(error.name)
      return body.id
    },
    get,
    /** Returns the run of a schedule that is on or about to begin; 0: none. */
    runOf: async (id: number) => (await get(id)).run?.id ?? 0,
    /** Returns the last run of a schedule that is over. */
    lastOf: async (id: number) => (await get(id)).last,
    /** Returns the notifications about schedules: kind and reason. */
    async notices() {
      const rows = await app.db.selectFrom('notifications').select(['kind', 'params']).orderBy('id').execute()
      return rows
        .filter(({ kind }) => kind.startsWith('schedule_'))
        .map(({ kind, params }) => [kind, (JSON.parse(params) as { reason: string }).reason])
    },
    stop: (id: number) => world.api(scheduler.stop, { ...inProject, id }, { as: me }),
    remove: (id: number) => world.api(scheduler.remove, { ...inProject, id }, { as: me }),
    /** The person, signed in. */
    get me() {
      return me
    },
  }
}
