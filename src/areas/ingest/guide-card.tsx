import { useTranslation } from 'react-i18next'
import type { IngestServer } from '#contract/areas/ingest/rtmp-servers.ts'
import type { StreamKey } from '#contract/areas/ingest/stream-keys.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { Card } from '#src/ui/card.tsx'
import { CopyButton } from '#src/ui/copy-button.tsx'
import { encoderAddress, ffmpegCommand, type Protocol, streamIdOf } from './addresses.ts'
import { Choice } from './choice.tsx'
import styles from './ingest.module.css'
import { useIngestWords } from './use-ingest-words.ts'
import { useSearchChoice } from './use-search-choice.ts'

/** Encoders with instructions, the most common first. */
const programs = ['obs', 'streamlabs', 'vmix', 'larix', 'ffmpeg'] as const
/** Mask for the key. */
const dots = '••••••••'

interface Props {
  readonly projectId: number
  readonly streamKey: StreamKey
  readonly server: IngestServer | undefined
  readonly protocol: Protocol
}

/** Setup steps for an encoder, with the user's own address. */
export function GuideCard({ projectId, streamKey, server, protocol }: Props) {
  const { t } = useTranslation('ingest')
  const words = useIngestWords()
  const [program, choose] = useSearchChoice('program', programs, 'obs')
  const address = encoderAddress(server, protocol, { projectId, key: streamKey.key })
  const values = { server: address?.server ?? t('guide.noServer'), stream: streamIdOf(projectId) }
  const masked = encoderAddress(server, protocol, { projectId, key: dots })?.whole.replaceAll(
    encodeURIComponent(dots),
    dots,
  )
  return (
    <Card title={t('guide.title')} note={t('guide.note')}>
      <Choice
        label={t('guide.program')}
        value={program}
        choices={programs.map((value) => ({ value, label: t(`guide.${value}.name`) }))}
        onChange={choose}
      />
      <ol className={styles.steps}>
        {['open', protocol === 'srt' ? 'srt' : 'rtmp', 'quality', 'start'].map((step) => (
          <li key={step}>{t(`guide.${program}.${step}`, values)}</li>
        ))}
      </ol>
      {program === 'ffmpeg' && address && masked && (
        <div className={styles.command}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable region */}
          <pre tabIndex={0} aria-label={t('guide.ffmpeg.command')} role="group">
            {ffmpegCommand(masked, protocol)}
          </pre>
          {!streamKey.masked && (
            <CopyButton text={ffmpegCommand(address.whole, protocol)} words={words.copy(t('guide.ffmpeg.command'))} />
          )}
        </div>
      )}
      <HelpLinkLater article="start/obs" />
      <HelpLinkLater article="start/encoders" />
      <HelpLinkLater article="start/srt-rtmp" />
    </Card>
  )
}
