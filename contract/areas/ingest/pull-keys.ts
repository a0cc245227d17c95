// Stream pull keys: each allows viewers to pull the project's stream by one transport.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { InProject, listOf, Success } from '#contract/core/wire.ts'
import { Transport } from '#contract/entities/ingest.ts'

/** `active`: a viewer pulls the stream. `error`: the last attempt to pull failed. */
export const PullStatus = z.enum(['active', 'inactive', 'error'])

const InPullKey = z.extend(InProject, { key: z.string().check(z.minLength(1), z.maxLength(64)) })
/** Name of a key. */
export const pullKeyName = z.string().check(z.maxLength(255))

export const pullKeys = group(
  'ingest.pull-keys',
  { prefix: 'stream-pull-keys', title: 'Stream pull keys', stale: ['ingest.pull-keys'] },
  {
    list: read('', {
      name: 'List keys',
      input: InProject,
      output: z.extend(
        listOf(
          z.object({
            id: z.int(),
            uuid: z.string(),
            transport: Transport,
            name: z.string(),
            region: z.optional(z.string()),
            shareUrl: z.string(),
            status: PullStatus,
            viewers: z.optional(z.int()),
            bitrate: z.optional(z.number()),
          }),
        ),
        { limit: z.optional(z.int()), masked: z.optional(z.boolean()) },
      ),
      auth: 'viewer',
      scope: 'broadcasts:write',
      provenance: 'published',
      notes: {
        uuid: 'the key itself; for viewers only its last four signs, and no address',
        region: 'decided: city of the pull server; empty: the best one',
        shareUrl: 'empty while no pull server has reported',
        viewers: 'decided: current number of viewers',
        bitrate: 'decided: kbps sent to all viewers',
        limit: 'decided: keys that the plan gives',
        masked: 'decided: the keys are hidden from this person',
      },
    }),
    create: write('POST', '', {
      name: 'Create key',
      input: z.extend(InProject, { transport: Transport, name: z.optional(pullKeyName) }),
      output: z.object({ id: z.int() }),
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
      replay: 'never',
    }),
    update: write('PUT', '', {
      name: 'Update key',
      input: z.extend(InPullKey, {
        region: z.optional(z.string().check(z.maxLength(255))),
        name: z.optional(pullKeyName),
      }),
      output: Success,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
      notes: { key: 'its uuid', region: 'city of a pull server; empty: the best one' },
    }),
    remove: write('DELETE', '', {
      name: 'Delete key',
      input: InPullKey,
      output: Success,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'published',
      notes: { key: 'its uuid' },
    }),
    check: read('check', {
      name: 'Check key',
      input: InPullKey,
      output: z.object({ transport: Transport, status: PullStatus, key: z.string() }),
      auth: 'viewer',
      scope: 'broadcasts:read',
      provenance: 'published',
      notes: { key: 'its uuid' },
    }),
  },
)
