// Readiness of an ingest server, shared by stream setup and the checklist on Home.
import type { IngestServer } from '#contract/areas/ingest/rtmp-servers.ts'
import type { Health } from '#contract/entities/ingest.ts'

/** `silent`: the server missed reports and may have stopped. `full`: it accepts no new broadcasts. */
export type ServerState = Health | 'silent' | 'full'

type ServerFacts = Pick<IngestServer, 'silent' | 'full' | 'serverStatus'>

/** State of a server; texts below `ingest:health`. */
export const serverStateOf = ({ silent, full, serverStatus }: ServerFacts): ServerState =>
  silent ? 'silent' : full ? 'full' : serverStatus

/** Returns whether the server accepts encoders and has capacity. */
export const isReady = (server: ServerFacts): boolean => ['good', 'problem'].includes(serverStateOf(server))
