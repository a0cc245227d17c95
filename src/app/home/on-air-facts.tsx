import { useTranslation } from 'react-i18next'
import type { OnAir } from '#contract/areas/broadcasts/broadcasts.ts'
import { ownNode } from '#contract/entities/ingest.ts'
import { formatBitrate, formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './home.module.css'

const codecs: Readonly<Record<string, string>> = {
  avc1: 'H.264',
  hvc1: 'H.265',
  mp4a: 'AAC',
  aac: 'AAC',
  mp3: 'MP3',
  opus: 'Opus',
  av01: 'AV1',
}

/** What comes in, measured over the last second. */
export function OnAirFacts({ onAir }: { readonly onAir: OnAir }) {
  const { t } = useTranslation('home', { keyPrefix: 'facts' })
  const { t: common } = useTranslation()
  const language = useLanguage()
  const { bitrate, fps, resolution, key_frame, video_codec_name, audio_codec_name, encoder, server } = onAir
  const rate = bitrate === null ? null : formatBitrate(bitrate, language)
  const codec = [video_codec_name, audio_codec_name]
    .filter((name) => name !== null)
    .map((name) => codecs[name.trim()] ?? name.trim())
  const facts: readonly (readonly [name: string, value: string | undefined, aside?: string | undefined])[] = [
    ['bitrate', rate?.kbps, rate?.mbps],
    ['fps', fps === null ? undefined : formatNumber(Math.round(fps), language)],
    ['resolution', resolution.replace('x', '×')],
    ['codec', codec.join(' + ')],
    ['keyFrame', key_frame === null ? undefined : t('seconds', { value: formatNumber(key_frame, language) })],
    ['encoder', encoder],
    ['server', server === ownNode ? common('ownServer') : server],
    ['reconnects', formatNumber(onAir.reconnects, language)],
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value, aside]) => (
        <div key={name}>
          <dt>{t(name)}</dt>
          <dd>
            {value || '–'} {aside && <span className={styles.aside}>{aside}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
