// How the relay is started as a process, whoever starts it.
import { join } from 'node:path'

/** The file beside this one: as it is written, or as `npm run build` made it. */
const beside = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? 'main.ts' : 'relay.js')

/**
 * What Node is given. Young memory is small: it is collected before the buffers of the network have grown, and what
 * waits for a slow channel lives in old memory anyway. One helper of the engine is enough for both, and keeps less.
 */
export const relayProgram = (file = beside): readonly string[] => ['--max-semi-space-size=1', '--v8-pool-size=1', file]
