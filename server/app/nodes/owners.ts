// Owners of projects among the connected relay nodes: renews leases, and stops nodes that another one replaced.
import { setTimeout as wait } from 'node:timers/promises'
import type { Lease } from '#contract/relay/from-node.ts'
import type { FromService } from '#contract/relay/from-service.ts'
import type { Services } from '#server/core/context.ts'
import { type Claim, renewLeases } from '#server/domain/broadcasts/air-leases.ts'
import { hasOtherNodes } from '#server/domain/ingest/nodes.ts'
import type { NodeConnection } from './node-connection.ts'
import type { RemoteNodes } from './remote-nodes.ts'

/** Time that an encoder waits until its previous node has disconnected from the platforms, milliseconds. */
const replaceMs = 2_000
const pollMs = 20

export interface Owners {
  /** Stops a project at its previous node, and waits until it is off air there, 2 s at most. */
  replace(projectId: number, previous: NonNullable<Claim['from']>): Promise<void>
  /** Renews leases, and stops the projects that other nodes own now. */
  renew(connection: NodeConnection, leases: readonly Lease[]): Promise<void>
  /** Stops the projects that other nodes own. */
  stop(connection: NodeConnection, lost: readonly Lease[]): void
}

interface OwnersOptions {
  readonly connections: ReadonlySet<NodeConnection>
  readonly remote: RemoteNodes
  /** Publishes the projects of a node to the other replicas. */
  readonly announce: (connection: NodeConnection) => void
}

export function createOwners(services: Services, { connections, remote, announce }: OwnersOptions): Owners {
  function stop(connection: NodeConnection, lost: readonly Lease[]) {
    for (const { projectId, epoch } of lost) {
      forget(connection, projectId, epoch)
      connection.send(movedMessage(projectId, epoch))
    }
    if (lost.length > 0) announce(connection)
  }

  return {
    async replace(projectId, { node, epoch }) {
      const local = [...connections].find((one) => one.node === node)
      const isOnAir = () =>
        local ? connections.has(local) && local.projects.has(projectId) : remote.owns(node, projectId)
      if (!isOnAir()) return
      const message = movedMessage(projectId, epoch)
      if (local) local.send(message)
      else remote.send({ node }, message)
      for (const end = performance.now() + replaceMs; isOnAir() && performance.now() < end;) await wait(pollMs)
      if (local) forget(local, projectId, epoch)
    },
    async renew(connection, leases) {
      stop(connection, await renewLeases(services.db, connection.node, leases))
      connection.send({ type: 'leases', others: await hasOtherNodes(services, connection.node) })
    },
    stop,
  }
}

/** Removes a project, unless it is on air again under a newer epoch. Nodes of releases without leases send no epochs. */
function forget({ projects }: NodeConnection, projectId: number, epoch = projects.get(projectId)?.epoch): void {
  if (projects.get(projectId)?.epoch === epoch) projects.delete(projectId)
}

const movedMessage = (projectId: number, epoch: number | undefined): FromService => ({
  type: 'stop',
  projectId,
  epoch,
  reason: 'moved',
  words: 'Another encoder took over',
})
