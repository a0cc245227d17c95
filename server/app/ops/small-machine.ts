// Settings for a machine with little memory.
import { totalmem } from 'node:os'

/** Bytes of a GB of memory or disk, as the system counts them. */
export const gibibyte = 1024 ** 3
/** Below this, transcoders would take the memory that the service needs. */
const smallBytes = 1.5 * gibibyte

/** Returns the memory of this machine, or of the container that it is. */
export const memoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity)

/** Settings of the relay, and the message to the operator. */
interface Small {
  readonly settings: { readonly RELAY_TRANSCODERS: '0' }
  readonly sentence: string
}

/**
 * Returns the settings that a small machine needs; null: there is enough memory, or the operator has decided.
 * @param bytes memory of the machine
 * @param before settings of the relay
 */
export function smallMachine(bytes: number, before: Readonly<Record<string, string | undefined>>): Small | null {
  if (bytes >= smallBytes || before['RELAY_TRANSCODERS'] !== undefined) return null
  const sentence = `This machine has ${(bytes / gibibyte).toFixed(1)} GB of memory: RELAY_TRANSCODERS=0. Transcoders need 2 GB`
  return { settings: { RELAY_TRANSCODERS: '0' }, sentence }
}
