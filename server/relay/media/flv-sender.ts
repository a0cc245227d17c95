// Sends a stream as FLV.
import { CountedWrites, type Writes } from '#server/relay/cost.ts'
import { flvHeader } from './flv.ts'
import type { Hub } from './hub.ts'
import { Outlet } from './outlet.ts'

/**
 * Sends the stream of a hub as FLV: header, stream headers, and all packets from the last keyframe on.
 * @param out a file, a pipe or a response; above `limit` whole groups of pictures are dropped
 * @param limit queue limit, bytes
 * @returns the outlet, which counts packets; closing it leaves `out` open
 */
export function sendFlv(hub: Hub, out: Writes, limit: () => number): Outlet {
  let hasBegun = false
  const counted = new CountedWrites(out)
  return new Outlet(
    hub,
    {
      queued: () => counted.queued(),
      write({ packets }) {
        // The tracks are known with the first packet.
        if (!hasBegun) counted.write(flvHeader(hub.tracks()))
        hasBegun = true
        const [first] = packets
        if (first)
          counted.write(packets.length === 1 ? first.tag() : Buffer.concat(packets.map((packet) => packet.tag())))
      },
    },
    limit,
  )
}
