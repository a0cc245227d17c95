// Stream from a browser: the media is not an operation, the client sends it over a WebSocket with the ticket of this response.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { DateTime } from '#contract/core/lenient.ts'
import { write } from '#contract/core/operation.ts'
import { InProject } from '#contract/core/wire.ts'

export const browserIngest = group(
  'broadcasts.browser-ingest',
  { prefix: 'broadcast/browser-ingest', title: 'Stream from a browser' },
  {
    create: write('POST', '', {
      name: 'Get a ticket to stream from a browser',
      input: InProject,
      output: z.object({ url: z.string(), ticket: z.string(), expires_at: DateTime }),
      status: 201,
      auth: 'editor',
      scope: 'broadcasts:write',
      provenance: 'decided',
      announces: 'nothing',
      replay: 'never',
      stale: [],
      notes: {
        url: 'of a WebSocket with the subprotocols `relaydeck.browser` and the ticket',
        ticket: 'a secret for one connection; the connection ends with the right of its user',
        expires_at: 'end of the time to open the connection, a minute',
      },
    }),
  },
)
