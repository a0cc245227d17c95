import { use } from 'react'
import { useTranslation } from 'react-i18next'
import type { OnAir } from '#contract/entities/on-air.ts'
import { ownNode } from '#contract/core/codes.ts'
import { Ticking } from '#src/components/ticking.tsx'
import { formatBitrate, formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from '#src/app/home/home.module.css'
import { LiveFiguresContext } from './live-figures.ts'

const codecs: Readonly<Record<string, string>> = {
  avc1: 'H.264',
  hvc1: 'H.265',
  mp4a: 'AAC',
  aac: 'AAC',
  mp3: 'MP3',
  opus: 'Opus',
  av01: 'AV1',
}

/** Figures of the incoming stream. Only the bitrate changes each second. */
export function OnAirFacts({ onAir }: { readonly onAir: OnAir }) {
  const { t } = useTranslation('home', { keyPrefix: 'facts' })
  const { t: common } = useTranslation()
  const language = useLanguage()
  const { fps, resolution, key_frame, video_codec_name, audio_codec_name, encoder, server } = onAir
  const codec = [video_codec_name, audio_codec_name]
    .filter((name) => name !== null)
    .map((name) => codecs[name.trim()] ?? name.trim())
  const facts = [
    ['fps', fps === null ? '' : formatNumber(fps, language)],
    ['resolution', resolution.replace('x', '×')],
    ['codec', codec.join(' + ')],
    ['keyFrame', key_frame === null ? '' : t('seconds', { value: formatNumber(key_frame, language) })],
    ['encoder', encoder],
    ['server', server === ownNode ? common('ownServer') : server],
    ['reconnects', formatNumber(onAir.reconnects, language)],
  ] as const
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('bitrate')}</dt>
        <dd>
          <BitrateNow />
        </dd>
      </div>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{t(name)}</dt>
          <dd>{value || '–'}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Bitrate of the last second. */
function BitrateNow() {
  const figures = use(LiveFiguresContext)
  const language = useLanguage()
  return <Ticking source={figures} text={({ bitrate: b }) => (b === null ? '–' : formatBitrate(b, language))} />
}
