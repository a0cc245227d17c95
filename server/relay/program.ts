// Command line of the relay process.
import { join } from 'node:path'

/** Exit code of a node whose port another program uses. */
export const portTakenCode = 98

/** Entry point beside this file: the source, or the output of `npm run build`. */
const beside = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? 'main.ts' : 'relay.js')

/**
 * Arguments of Node. The young generation is small: it is collected before the network buffers have grown, and queues of slow
 * channels are in the old generation. One V8 worker thread suffices for both and needs less memory.
 */
export const relayProgram = (file = beside): readonly string[] => ['--max-semi-space-size=1', '--v8-pool-size=1', file]
