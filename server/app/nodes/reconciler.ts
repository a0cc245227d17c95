// Sends changes of the desired state to relay nodes, and does the work that follows from it. A change is noticed by the mark
// of its commit; the versions of all projects here are compared each 10 s, in case a signal was lost.
import type { LivePublisher } from '#server/app/live/live-publisher.ts'
import type { Services } from '#server/core/context.ts'
import { listVersions, marksChannel } from '#server/db/marks.ts'
import type { Signals } from '#server/db/signals.ts'
import { applyEffects, readDesired } from '#server/domain/broadcasts/desired.ts'
import type { watchLostNodes } from '#server/domain/broadcasts/lost-nodes.ts'
import { type NodeConnection, stopMessage } from './node-connection.ts'
import { sendRemoved } from './node-handlers.ts'
import { repeat } from './repeat.ts'

/** Comparisons between two reads of every project: the net under a change that no trigger counts. */
const readAllEvery = 60
/** Projects that are read at the same time. */
const atOnce = 4

export interface Reconciler {
  /** Sends the desired state of a project to its node if it has changed. */
  reconcile(connection: NodeConnection, projectId: number): void
  /** Sends the names of deleted recordings to all nodes. */
  clear(): void
  /** Waits for the running work. */
  end(): Promise<void>
}

interface ReconcilerContext {
  readonly connections: ReadonlySet<NodeConnection>
  readonly signals: Pick<Signals, 'subscribe' | 'onConnection'>
  readonly publisher: LivePublisher
  readonly lostNodes: ReturnType<typeof watchLostNodes>
  /** Publishes the projects of a node to the other replicas. */
  readonly announce: (connection: NodeConnection) => void
  /** Interval of the comparison of versions, milliseconds. Default: 10 s. */
  readonly tidyMs?: number
}

export function startReconciler(services: Services, context: ReconcilerContext): Reconciler {
  const { connections, signals, publisher, lostNodes, announce, tidyMs = 10_000 } = context
  const { db, log } = services
  /** Waiting projects of each connection; a project that changes during its read waits again. */
  const waiting = new Map<NodeConnection, Set<number>>()
  const running = new Set<Promise<void>>()
  let isOver = false

  const failed = (error: unknown) => {
    lostNodes.fail()
    log.error({ err: error }, 'The desired state could not be sent to a relay node')
  }

  function reconcile(connection: NodeConnection, projectId: number): void {
    waiting.set(connection, (waiting.get(connection) ?? new Set()).add(projectId))
    pump()
  }

  function pump(): void {
    while (running.size < atOnce && !isOver) {
      const next = take()
      if (!next) return
      const one: Promise<void> = send(services, ...next)
        .catch(failed)
        .finally(() => {
          next[0].reading.delete(next[1])
          running.delete(one)
          pump()
        })
      running.add(one)
    }
  }

  /** Takes a waiting project that is not being read: two reads of one project could overtake each other. */
  function take(): [NodeConnection, number] | null {
    for (const [connection, projects] of waiting) {
      for (const projectId of projects) {
        if (connection.reading.has(projectId)) continue
        projects.delete(projectId)
        connection.reading.add(projectId)
        return [connection, projectId]
      }
      if (projects.size === 0) waiting.delete(connection)
    }
    return null
  }

  /** Reconciles a project at its node, or all projects for 0. */
  function mark(projectId: number): void {
    for (const connection of connections) {
      if (projectId === 0) for (const id of connection.projects.keys()) reconcile(connection, id)
      else if (connection.projects.has(projectId)) {
        reconcile(connection, projectId)
        publisher.publish(projectId)
      }
    }
  }

  async function clearAll(): Promise<void> {
    for (const connection of connections) {
      announce(connection)
      await sendRemoved(services, connection)
    }
  }

  const known = new Map<number, number>()
  async function compare(isAll: boolean): Promise<void> {
    const here = [...connections].flatMap(({ projects }) => [...projects.keys()])
    if (here.length === 0) return known.clear()
    const versions = await listVersions(db, here)
    const hasAllChanged = isAll || versions.get(0) !== known.get(0)
    for (const id of here) if (hasAllChanged || versions.get(id) !== known.get(id)) mark(id)
    known.clear()
    for (const [id, version] of versions) known.set(id, version)
  }

  let round = 0
  const endRounds = repeat(
    tidyMs,
    async () => {
      await compare(++round % readAllEvery === 0)
      await clearAll()
      for (const projectId of await lostNodes.end(publisher.before)) publisher.publish(projectId)
    },
    failed,
  )
  signals.subscribe(marksChannel, (payload) => {
    const [projectId = 0, version = 0] = payload.split(' ').map(Number)
    if (known.has(projectId)) known.set(projectId, version)
    mark(projectId)
  })

  // Signals sent while the connection was down are lost.
  signals.onConnection((isConnected) => isConnected && mark(0))

  return {
    reconcile,
    clear() {
      clearAll().catch((error: unknown) =>
        log.error({ err: error }, 'Deleted recordings could not be sent to relay nodes'),
      )
    },
    async end() {
      isOver = true
      await endRounds()
      await Promise.all(running)
    },
  }
}

/** Sends the desired state of a project if it has changed: channels, sharing, key, stop. */
async function send(services: Services, connection: NodeConnection, projectId: number): Promise<void> {
  const { state, keyMark, isStopped, effects } = await readDesired(services, projectId, connection.features)
  const sent = connection.projects.get(projectId)
  // The broadcast may have ended meanwhile.
  if (sent === undefined) return
  const next = { epoch: sent.epoch, desired: JSON.stringify(state), keyMark }
  connection.projects.set(projectId, next)
  if (sent.keyMark !== null && sent.keyMark !== keyMark)
    connection.send({ type: 'stop', projectId, words: 'The stream key was replaced' })
  // The node was not connected when the user stopped the broadcast.
  else if (isStopped) connection.send(stopMessage(projectId))
  else if (sent.desired !== next.desired) connection.send({ type: 'desired', projectId, ...state })
  if (effects) await applyEffects(services, effects)
}
