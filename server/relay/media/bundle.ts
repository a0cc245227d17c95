// Packets that go out in one write, serialised once for everybody who gets them together.
import type { Packet } from './packet.ts'

export class Bundle {
  readonly packets: readonly Packet[]
  #chunks: Buffer | undefined

  constructor(packets: readonly Packet[]) {
    this.packets = packets
  }

  /** As RTMP chunks on message stream 1. */
  chunks(): Buffer {
    return (this.#chunks ??= Buffer.concat(this.packets.map((packet) => packet.toChunks())))
  }
}

/** One packet by itself, whose bytes are kept with it: for those who begin late, one after the other. */
export class Single extends Bundle {
  override chunks(): Buffer {
    return this.packets[0]?.chunks() ?? Buffer.alloc(0)
  }
}
