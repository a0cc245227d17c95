import { useTranslation } from 'react-i18next'
import type { IngestServer } from '#contract/areas/ingest/rtmp-servers.ts'
import type { StreamKey } from '#contract/areas/ingest/stream-keys.ts'
import { backupSuffix } from '#contract/entities/ingest.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { Card } from '#src/ui/card.tsx'
import { SecretField } from '#src/ui/secret-field.tsx'
import { AddressField } from './address-field.tsx'
import { encoderAddress, type Protocol } from './addresses.ts'
import styles from './ingest.module.css'
import { QualitySettings } from './quality-settings.tsx'
import { useIngestWords } from './use-ingest-words.ts'

interface Props {
  readonly projectId: number
  readonly streamKey: StreamKey
  readonly server: IngestServer | undefined
  readonly protocol: Protocol
}

/** Settings of a second encoder that takes over when the main one is lost. For editors. */
export function BackupCard({ projectId, streamKey, server, protocol }: Props) {
  const { key } = streamKey
  const { t } = useTranslation('ingest')
  const words = useIngestWords()
  const address = encoderAddress(server, protocol, { projectId, key, isBackup: true })
  const secretWords = (what: string) => ({ show: t('key.show'), copy: words.copy(what) })
  return (
    <Card title={t('backup.title')} note={t('backup.note')}>
      <div className={styles.fields}>
        {protocol === 'srt' && address ? (
          <SecretField
            label={t('backup.whole')}
            hint={t('encoder.wholeHint')}
            value={address.whole}
            words={secretWords(t('backup.whole'))}
          />
        ) : (
          <>
            <AddressField label={t('backup.server')} value={address?.server ?? ''} empty={t('encoder.noServer')} />
            <SecretField
              label={t('backup.key')}
              hint={t('backup.keyHint')}
              value={`${key}${backupSuffix}`}
              words={secretWords(t('backup.key'))}
            />
          </>
        )}
      </div>
      <p className={styles.hint}>{t('backup.hint')}</p>
      <QualitySettings projectId={projectId} streamKey={streamKey} />
      <HelpLinkLater article="stream/backup-encoder" />
    </Card>
  )
}
