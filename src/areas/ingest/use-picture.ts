import { useTranslation } from 'react-i18next'
import type { Transcoder } from '#contract/areas/ingest/transcoders.ts'
import type { Tone } from '#src/ui/badge.tsx'

type State = 'stopped' | 'idle' | 'unused' | 'starting' | 'running' | 'trouble'

export const stateTones: Readonly<Record<State, Tone>> = {
  stopped: 'neutral',
  idle: 'neutral',
  unused: 'neutral',
  starting: 'accent',
  running: 'ok',
  trouble: 'warn',
}

/** State of a transcoder. */
export function transcoderState({ status, state, channels }: Transcoder): State {
  if (status === 'inactive') return 'stopped'
  if (!state) return 'idle'
  if (!channels.some(({ active }) => active)) return 'unused'
  if (state.transcoder_running) return 'running'
  return state.reason ? 'trouble' : 'starting'
}

/** Returns a formatter for the output of a transcoder in one line; omits properties of the source. */
export function usePicture() {
  const { t } = useTranslation('ingest')
  return (one: Transcoder): string => {
    const { width, height, fps, vBitrate, aBitrate, rotation, delay } = one
    const parts = [
      t(`transcoders.codec.${one.videoCodec}`),
      width && height && `${width}×${height}`,
      width && !height && t('transcoders.wide', { width }),
      height && !width && t('transcoders.high', { height }),
      fps && t('transcoders.fps', { fps }),
      vBitrate && t('transcoders.kbps', { kbps: vBitrate }),
      aBitrate && t('transcoders.sound', { kbps: aBitrate }),
      rotation && t('transcoders.turned'),
      delay > 0 && t('transcoders.delayed', { seconds: delay }),
      one.mode === 'twitch' && 'Twitch',
    ]
    return parts.filter(Boolean).join(' · ')
  }
}
