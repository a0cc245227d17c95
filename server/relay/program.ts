// How the relay is started as a process, whoever starts it.
import { fileURLToPath } from 'node:url'

/**
 * What Node is given. Young memory is small: it is collected before the buffers of the network have grown, and what
 * waits for a slow channel lives in old memory anyway. One helper of the engine is enough for both, and keeps less.
 */
export const relayProgram: readonly string[] = [
  '--max-semi-space-size=1',
  '--v8-pool-size=1',
  fileURLToPath(new URL('./main.ts', import.meta.url)),
]
