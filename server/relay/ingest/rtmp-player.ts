// RTMP player: responses before the media, and the media (Adobe RTMP 1.0, 7.2.2.1).
import type { Packet } from '#server/relay/media/packet.ts'
import { encodeAmf } from '#server/relay/rtmp/amf0.ts'
import type { Connection } from '#server/relay/rtmp/connection.ts'
import { chunkStream, messageType } from '#server/relay/rtmp/message.ts'
import { onStatus, streamBegin } from '#server/relay/rtmp/messages.ts'
import type { Player } from './playback.ts'

/** Sends Play.Start. @returns the output for the stream */
export function openPlayer(connection: Connection, streamId: number): Player {
  const sendStatus = (code: string, message: string) =>
    connection.send(onStatus('status', code, message, streamId), chunkStream.command)
  connection.send(streamBegin(streamId))
  sendStatus('NetStream.Play.Reset', 'Reset')
  sendStatus('NetStream.Play.Start', 'Go')
  // Shared chunks carry message stream 1, the only one that `createStream` returns.
  return {
    write(bundle) {
      if (!bundle.packets.some((packet) => packet.isMetadata())) return connection.sendChunks(bundle.chunks())
      for (const packet of bundle.packets)
        if (packet.isMetadata()) connection.send(metadataMessage(packet, streamId), chunkStream.data)
        else connection.sendChunks(packet.chunks())
    },
    queued: connection.queued,
    written: connection.written,
    end(message) {
      sendStatus('NetStream.Play.UnpublishNotify', message)
      connection.end()
    },
  }
}

const setDataFrame = encodeAmf('@setDataFrame')

/** Metadata without `@setDataFrame`, which only servers expect. */
function metadataMessage({ payload, timestamp }: Packet, streamId: number) {
  const hasPrefix = payload.subarray(0, setDataFrame.length).equals(setDataFrame)
  return {
    type: messageType.data,
    streamId,
    timestamp,
    payload: hasPrefix ? payload.subarray(setDataFrame.length) : payload,
  }
}
