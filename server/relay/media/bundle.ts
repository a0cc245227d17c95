// Packets that share one write, serialised once for all receivers.
import type { Packet } from './packet.ts'

export class Bundle {
  readonly packets: readonly Packet[]
  #chunks: Buffer | undefined

  constructor(packets: readonly Packet[]) {
    this.packets = packets
  }

  /** RTMP chunks on message stream 1. */
  chunks(): Buffer {
    return (this.#chunks ??= join(this.packets))
  }
}

function join(packets: readonly Packet[]): Buffer {
  const bytes = Buffer.allocUnsafe(packets.reduce((sum, packet) => sum + packet.chunksLength(), 0))
  let at = 0
  for (const packet of packets) at = packet.putChunks(bytes, at)
  return bytes
}

/** One packet, whose bytes are cached with it: several late receivers reuse them. */
export class Single extends Bundle {
  override chunks(): Buffer {
    return this.packets[0]?.chunks() ?? Buffer.alloc(0)
  }
}
