// Channels of the test, with nginx-rtmp and an SRT listener as their platforms.
import { join } from 'node:path'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { transcoders } from '#contract/areas/ingest/transcoders.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { type Pipe, pipe } from '#server/relay/testing/pipe.ts'
import { type Platform, platform } from '#server/relay/testing/programs.ts'
import { recordSrt, type SrtReceiver } from '#server/relay/testing/srt-receiver.ts'
import type { Product } from './product.ts'

/**
 * `whole`: as it comes. `cut`: the test cuts it. `portrait`: its own track. `late`: delayed. `small`: through a transcoder. `studio`: by SRT.
 */
export const channelNames = ['whole', 'cut', 'portrait', 'late', 'small', 'studio'] as const
export type ChannelName = (typeof channelNames)[number]

/** Delay of `late`, seconds. */
export const lateSeconds = 5

export interface Channels {
  /** Numbers of the channels by name. */
  readonly ids: Readonly<Record<ChannelName, number>>
  /** Way to the platform of `cut`. */
  readonly line: Pipe
  /** Recordings of a channel: one for each publication. */
  recordings(name: ChannelName): readonly string[]
  /** Ends the platforms' connections; the recordings stay until `close`. */
  end(): Promise<void>
  close(): Promise<void>
}

/** Starts the platforms and adds the channels. @param folder for the recording of SRT */
export async function addChannels({ api, projectId: project_id }: Product, folder: string): Promise<Channels> {
  const nginx: Platform = await platform()
  const line = await pipe(nginx.port)
  const srtPort = await freePort()
  const studioFile = join(folder, 'studio.ts')
  const studio: SrtReceiver = recordSrt(srtPort, studioFile)
  const add = async (name: ChannelName, port = nginx.port) => {
    const about = { rtmp_url: `rtmp://127.0.0.1:${port}/live`, stream_key: name }
    return (await api(addChannel.any, { project_id, type: 'youtube', name, ...about })).channel_id
  }
  const ids = {
    whole: await add('whole'),
    cut: await add('cut', line.port),
    portrait: await add('portrait'),
    late: await add('late'),
    small: await add('small'),
    studio: (await api(addChannel.srt, { project_id, name: 'studio', ingress_url: `srt://127.0.0.1:${srtPort}` }))
      .channel_id,
  }
  for (const channel_id of Object.values(ids)) await api(channels.setStatus, { project_id, channel_id, status: true })
  const portrait = { video: 'portrait', audio: 'main', missing: 'wait' } as const
  await api(channels.setTracks, { project_id, channel_id: ids.portrait, ...portrait })
  await api(channels.setDelay, { project_id, channel_id: ids.late, delay: lateSeconds })
  const size = { width: 160, height: 100, vBitrate: 150, preset: 'ultrafast' } as const
  await api(transcoders.add, { project_id, name: 'Small', ...size, channelIds: [ids.small] })
  const end = async () => {
    line.cut(true)
    await studio.stop()
  }
  return {
    ids,
    line,
    recordings: (name) => (name === 'studio' ? [studioFile] : nginx.recordings(name)),
    end,
    async close() {
      await end()
      await line.close()
      await nginx.stop()
    },
  }
}
