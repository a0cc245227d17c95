// Command line of the relay process.
import { join } from 'node:path'

/** Entry point beside this file: the source, or the output of `npm run build`. */
const beside = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? 'main.ts' : 'relay.js')

/**
 * What Node is given. Young memory is small: it is collected before the buffers of the network have grown, and what
 * waits for a slow channel lives in old memory anyway. One helper of the engine is enough for both, and keeps less.
 */
export const relayProgram = (file = beside): readonly string[] => ['--max-semi-space-size=1', '--v8-pool-size=1', file]
