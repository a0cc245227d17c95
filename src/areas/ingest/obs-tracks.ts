// Configuration of OBS for several tracks (Settings → Stream → Custom, Multitrack Video, Config Override), as `GoLiveApi::Config` of OBS reads it.

/** Schema version that OBS sends itself. */
const schemaVersion = '2025-01-25'

interface Picture {
  readonly width: number
  readonly height: number
  /** kbps. */
  readonly bitrate: number
  /** Number of the canvas in OBS. One that does not exist refuses the start. */
  readonly canvas: number
}

const pictures: readonly Picture[] = [
  { width: 1920, height: 1080, bitrate: 6000, canvas: 0 },
  { width: 1080, height: 1920, bitrate: 4500, canvas: 1 },
]
const sound = (track_id: number) => ({ codec: 'ffmpeg_aac', track_id, channels: 2, settings: { bitrate: 160 } })

/** Returns the configuration with a landscape and a portrait picture and the sound, to copy into OBS. */
export const obsTracks = (): string =>
  JSON.stringify(
    {
      meta: { service: 'IVS', schema_version: schemaVersion, config_id: 'relaydeck' },
      // All encoders are in one group and begin together: equal intervals align their keyframes.
      encoder_configurations: pictures.map(({ width, height, bitrate, canvas }) => ({
        type: 'obs_x264',
        width,
        height,
        framerate: { numerator: 30, denominator: 1 },
        canvas_index: canvas,
        settings: { rate_control: 'CBR', bitrate, keyint_sec: 2, preset: 'veryfast', profile: 'high', bf: 2 },
      })),
      // OBS sends the second sound only with the VOD track, which it offers for other services.
      audio_configurations: { live: [sound(0)], vod: [sound(1)] },
    },
    null,
    2,
  )
