// Relay nodes of the installation, and their drain.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Nothing, Success } from '#contract/core/wire.ts'
import { NodeState } from '#contract/entities/ingest.ts'
import { Reason } from './settings.ts'

/** A relay node that reported within a day. */
export const OperatorServer = z.object({
  /** Name of the node. */
  node: z.string(),
  /** Machine of the node: its nodes share ports and recordings. */
  machine: z.string(),
  city: z.string(),
  /** ISO 3166-1 alpha-2; `ZZ`: unknown. */
  country: z.string(),
  /** Release of the node; null: not reported. */
  release: z.nullable(z.string()),
  state: NodeState,
  /** The node can drain, and is connected. */
  can_drain: z.boolean(),
  /** Time at which a draining node disconnects the encoders that are left; null: it does not drain. */
  date_drain: z.nullable(DateTime),
  /** Number of broadcasts on air. */
  broadcasts: z.int(),
  /** Beginning of the oldest one; null: none. */
  date_oldest: z.nullable(DateTime),
  /** Loads over five minutes, percent. */
  network: z.number(),
  cpu: z.number(),
  ram: z.number(),
  date_report: DateTime,
})
export type OperatorServer = z.output<typeof OperatorServer>

/** Name of a node. */
const Node = z.string().check(z.minLength(1), z.maxLength(64))

export const servers = group(
  'operator.servers',
  { prefix: 'operator/servers', title: 'OperatorServers', stale: ['operator.servers'] },
  {
    list: read('', {
      name: 'List relay servers',
      input: Nothing,
      output: z.object({ results: z.array(OperatorServer) }),
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
    }),
    drain: write('POST', 'drain', {
      name: 'Drain a relay server',
      input: z.object({ node: Node, minutes: z.int().check(z.minimum(0), z.maximum(10_080)), reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: {
        minutes:
          'time after which it disconnects the encoders that are left; 0: now. The server takes no new broadcasts, and ends when none is left',
      },
    }),
    cancel: write('POST', 'undrain', {
      name: 'Cancel the drain of a relay server',
      input: z.object({ node: Node, reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
    }),
  },
)
