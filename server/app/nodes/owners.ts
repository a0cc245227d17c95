// Owners of projects among the connected relay nodes: takes renewals, and stops nodes that another one replaced.
import type { Lease } from '#contract/relay/from-node.ts'
import type { FromService } from '#contract/relay/from-service.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { Services } from '#server/core/context.ts'
import { type Claim, renewLeases } from '#server/domain/broadcasts/air-leases.ts'
import { hasOtherNodes } from '#server/domain/ingest/nodes.ts'
import type { FarNodes } from './far-nodes.ts'
import type { Line } from './line.ts'

/** How long an encoder waits until the node that it left has said goodbye to the platforms, milliseconds. */
const letGoMs = 2_000
const lookMs = 20

export interface Owners {
  /** Stops a project at the node that owned it before, and waits until it is off air there, 2 s at most. */
  replace(projectId: number, before: NonNullable<Claim['from']>): Promise<void>
  /** Takes a renewal, and stops what other nodes own meanwhile. */
  renew(line: Line, leases: readonly Lease[]): Promise<void>
  /** Stops what other nodes own. */
  stop(line: Line, lost: readonly Lease[]): void
}

/** @param show says on the other replicas what a node has on air */
export function createOwners(
  services: Services,
  {
    lines,
    far,
    show,
  }: { readonly lines: ReadonlySet<Line>; readonly far: FarNodes; readonly show: (line: Line) => void },
): Owners {
  function stop(line: Line, lost: readonly Lease[]) {
    for (const { projectId, epoch } of lost) {
      forget(line, projectId, epoch)
      line.send(movedMessage(projectId, epoch))
    }
    if (lost.length > 0) show(line)
  }

  return {
    async replace(projectId, { node, epoch }) {
      const line = [...lines].find((one) => one.node === node)
      const isOnAir = () => (line ? lines.has(line) && line.told.has(projectId) : far.owns(node, projectId))
      if (!isOnAir()) return
      const message = movedMessage(projectId, epoch)
      if (line) line.send(message)
      else far.send({ node }, message)
      for (const end = performance.now() + letGoMs; isOnAir() && performance.now() < end;) await wait(lookMs)
      if (line) forget(line, projectId, epoch)
    },
    async renew(line, leases) {
      stop(line, await renewLeases(services.db, line.node, leases))
      line.send({ type: 'leases', others: await hasOtherNodes(services, line.node) })
    },
    stop,
  }
}

/** Keeps a project that the node has on air again under a newer epoch. Nodes of releases without leases send no epochs. */
function forget({ told }: Line, projectId: number, epoch = told.get(projectId)?.epoch): void {
  if (told.get(projectId)?.epoch === epoch) told.delete(projectId)
}

const movedMessage = (projectId: number, epoch: number | undefined): FromService => ({
  type: 'stop',
  projectId,
  epoch,
  reason: 'moved',
  words: 'Another encoder took over',
})
