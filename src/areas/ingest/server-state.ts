// Whether an ingest server takes an encoder: one rule for stream setup and the checklist of Home.
import type { IngestServer } from '#contract/areas/ingest/rtmp-servers.ts'
import type { Health } from '#contract/entities/ingest.ts'

/** `silent`: it has missed reports, so it may have stopped. */
export type ServerState = Health | 'silent'

type Seen = Pick<IngestServer, 'silent' | 'serverStatus'>

/** The state of a server in a word; texts below `ingest:health`. */
export const serverStateOf = ({ silent, serverStatus }: Seen): ServerState => (silent ? 'silent' : serverStatus)

/** Takes an encoder, and has room for it. */
export const isReady = (server: Seen): boolean => ['good', 'problem'].includes(serverStateOf(server))
