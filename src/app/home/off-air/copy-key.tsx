import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { IngestServer } from '#contract/areas/ingest/rtmp-servers.ts'
import { streamKeys } from '#contract/areas/ingest/stream-keys.ts'
import { q } from '#src/api/query.ts'
import { encoderAddress } from '#src/areas/ingest/addresses.ts'
import { CopyButton } from '#src/ui/copy-button.tsx'
import styles from './check-list.module.css'

interface Props {
  readonly projectId: number
  readonly server: IngestServer | undefined
  readonly onCopied: (what: 'address' | 'key') => void
}

/** Server address and stream key for the encoder. Renders nothing for users without access to the key. */
export function CopyKey({ projectId, server, onCopied }: Props) {
  const { t } = useTranslation('home', { keyPrefix: 'copy' })
  const { data } = useQuery({ ...q(streamKeys.get, { project_id: projectId }), staleTime: 0 })
  if (!data || data.masked) return null
  const address = encoderAddress(server, 'rtmp', { projectId, key: data.key })?.server
  const words = (idle: string) => ({ idle, copied: t('copied'), refused: t('refused') })
  return (
    <span className={styles.copy}>
      {address && <CopyButton text={address} words={words(t('address'))} onCopied={() => onCopied('address')} />}
      <CopyButton text={data.key} words={words(t('key'))} onCopied={() => onCopied('key')} />
    </span>
  )
}
