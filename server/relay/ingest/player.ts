// Somebody who plays a stream from us by RTMP: what we say before the media, and the media (Adobe RTMP 1.0, 7.2.2.1).
import type { Sink } from '#server/relay/media/outlet.ts'
import type { Packet } from '#server/relay/media/packet.ts'
import { encodeAmf } from '#server/relay/rtmp/amf0.ts'
import type { Connection } from '#server/relay/rtmp/connection.ts'
import { chunkStream, messageType, onStatus, streamBegin } from '#server/relay/rtmp/messages.ts'
import type { TransportViewer } from '#server/relay/srt/transport-stream.ts'

/** Who wants to play. The key is a secret. */
export interface PlayRequest {
  readonly key: string
  readonly address: string
  readonly transport: 'rtmp' | 'srt'
}

/** Somebody who fetches, whichever way. */
export interface Fetcher {
  /** Bytes handed to the system. */
  written(): number
  /** Says why, where that can be said, and closes. */
  end(words: string): void
}

/** A player by RTMP that was let in. */
export interface Player extends Sink, Fetcher {}

/** A player by SRT that was let in. */
export interface TransportPlayer extends TransportViewer, Fetcher {}

/** What a player was given. */
export interface Playback {
  /** Sends the stream from here on. */
  begin(player: Player): void
  /** The same as MPEG-TS. */
  beginTransport(player: TransportPlayer): void
  /** The player has gone. */
  ended(): void
}

/** Tells the player that it begins. @returns where its stream goes */
export function openPlayer(connection: Connection, streamId: number): Player {
  const say = (code: string, words: string, level = 'status') =>
    connection.send(onStatus(level, code, words, streamId), chunkStream.command)
  connection.send(streamBegin(streamId))
  say('NetStream.Play.Reset', 'Reset')
  say('NetStream.Play.Start', 'Go')
  // The shared bytes say stream 1, which is the only one that we make.
  return {
    write(bundle) {
      if (!bundle.packets.some((packet) => packet.isMetadata())) return connection.sendChunks(bundle.chunks())
      for (const packet of bundle.packets)
        if (packet.isMetadata()) connection.send(described(packet, streamId), chunkStream.data)
        else connection.sendChunks(packet.chunks())
    },
    queued: connection.queued,
    written: connection.written,
    end(words) {
      say('NetStream.Play.UnpublishNotify', words)
      connection.end()
    },
  }
}

const wrapper = encodeAmf('@setDataFrame')

/** Metadata for a player comes without the word that tells a server to keep it. */
function described({ payload, timestamp }: Packet, streamId: number) {
  const isWrapped = payload.subarray(0, wrapper.length).equals(wrapper)
  return {
    type: messageType.data,
    streamId,
    timestamp,
    payload: isWrapped ? payload.subarray(wrapper.length) : payload,
  }
}
