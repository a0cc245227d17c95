// Sends changes of the desired state to relay nodes: each second it compares it with the state that was sent.
import { repeat } from '#server/app/jobs/repeat.ts'
import type { LivePublisher } from '#server/app/live/live-publisher.ts'
import type { Services } from '#server/core/context.ts'
import { desiredStateOf } from '#server/domain/broadcasts/broadcasts.ts'
import type { watchLostNodes } from '#server/domain/broadcasts/lost-nodes.ts'
import { type NodeConnection, stopMessage } from './node-connection.ts'
import { sendRemoved } from './node-handlers.ts'

const syncMs = 1_000
/** Every tenth round also sends deleted recordings, announces nodes to other replicas, and ends broadcasts of lost nodes. */
const tidyEvery = 10

export interface NodeSync {
  /** Sends the names of deleted recordings to all nodes. */
  clear(): void
  /** Waits for the running turn. */
  end(): Promise<void>
}

interface SyncContext {
  readonly connections: ReadonlySet<NodeConnection>
  readonly publisher: LivePublisher
  readonly lostNodes: ReturnType<typeof watchLostNodes>
  /** Publishes the projects of a node to the other replicas. */
  readonly announce: (connection: NodeConnection) => void
}

export function startSync(services: Services, { connections, publisher, lostNodes, announce }: SyncContext): NodeSync {
  const { log } = services

  async function syncAll(): Promise<void> {
    for (const connection of connections)
      for (const projectId of connection.projects.keys()) await sync(services, connection, projectId)
  }

  async function clearAll(): Promise<void> {
    for (const connection of connections) {
      announce(connection)
      await sendRemoved(services, connection)
    }
  }

  async function tidy(): Promise<void> {
    await clearAll()
    for (const projectId of await lostNodes.end()) publisher.publish(projectId)
  }

  let round = 0
  async function turn(): Promise<void> {
    round++
    await syncAll()
    if (round % tidyEvery === 0) await tidy()
  }
  const end = repeat(syncMs, turn, (error) => {
    lostNodes.fail()
    log.error({ err: error }, 'The desired state could not be sent to relay nodes')
  })

  return {
    clear() {
      clearAll().catch((error: unknown) =>
        log.error({ err: error }, 'Deleted recordings could not be sent to relay nodes'),
      )
    },
    end,
  }
}

/** Sends the desired state of a project if it has changed: channels, sharing, key, stop. */
async function sync(services: Services, connection: NodeConnection, projectId: number): Promise<void> {
  const { keyMark, isStopped, ...desired } = await desiredStateOf(services, projectId)
  const sent = connection.projects.get(projectId)
  // The broadcast may have ended meanwhile.
  if (sent === undefined) return
  const next = { epoch: sent.epoch, desired: JSON.stringify(desired), keyMark }
  connection.projects.set(projectId, next)
  if (sent.keyMark !== null && sent.keyMark !== keyMark)
    connection.send({ type: 'stop', projectId, words: 'The stream key was replaced' })
  // The node was not connected when the user stopped the broadcast.
  else if (isStopped) connection.send(stopMessage(projectId))
  else if (sent.desired !== next.desired) connection.send({ type: 'wish', projectId, ...desired })
}
