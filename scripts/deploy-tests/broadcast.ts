// A broadcast through an installed relay to a platform of this process, which counts every frame.
import { setTimeout as delay } from 'node:timers/promises'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { faultyPlatform } from '#server/relay/testing/faulty-platform.ts'
import { aacHeader, audio, avcHeader, interframe, keyframe } from '#server/relay/testing/frames.ts'
import { times } from '#server/relay/testing/rig.ts'
import { poll } from '#scripts/house/poll.ts'
import { callerOf } from './api.ts'
import { publish } from './relay.ts'
import type { Stage } from './stage.ts'

interface Where {
  readonly url: string
  /** Of the user who broadcasts. */
  readonly token: string
  readonly rtmpPort: number
  readonly stage: Stage
}

const frameMs = 20
const framesPerKeyframe = 50

/** Adds a channel, and sends a picture and a frame of sound every 20 ms until `end`. */
export async function beginBroadcast({ url, token, rtmpPort, stage }: Where) {
  const api = callerOf(url, token)
  const platform = await faultyPlatform()
  stage.onClose(() => platform.stop())
  const { results } = await api(projects.list, {})
  const project_id = results[0]?.id ?? 0
  const about = { rtmp_url: `rtmp://127.0.0.1:${platform.port}/live`, stream_key: 'key' }
  await api(addChannel.any, { project_id, type: 'youtube', name: 'One', ...about })
  const { key } = await api(streamKeys.get, { project_id })
  const encoder = await publish(rtmpPort, key)
  const sent: number[] = []
  let pictures = 0
  encoder.send(avcHeader(), aacHeader())
  const timer = setInterval(() => {
    const at = pictures * frameMs
    const soundAt = at + frameMs / 2
    encoder.send(pictures++ % framesPerKeyframe === 0 ? keyframe(at) : interframe(at), audio(soundAt))
    sent.push(at, soundAt)
  }, frameMs)
  stage.onClose(() => clearInterval(timer))
  await poll('frames at the platform', () => times(platform).length > framesPerKeyframe)
  return {
    /** Stops sending, and waits for the last frame. Counts from the first frame that the platform received. */
    async end() {
      clearInterval(timer)
      await poll('the last frame', () => times(platform).at(-1) === sent.at(-1), 20).catch(() => delay(0))
      const arrived = new Set(times(platform))
      const due = sent.slice(sent.indexOf(times(platform)[0] ?? -1))
      encoder.end()
      return {
        sent: due.length,
        lost: due.filter((at) => !arrived.has(at)).length,
        connections: platform.connections(),
      }
    },
  }
}
