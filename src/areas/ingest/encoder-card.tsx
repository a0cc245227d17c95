import { IconQrcode, IconRefresh } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type IngestServer, rtmpServers } from '#contract/areas/ingest/rtmp-servers.ts'
import type { StreamKey } from '#contract/areas/ingest/stream-keys.ts'
import { useInstallation } from '#src/components/use-installation.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { SecretField } from '#src/ui/secret-field.tsx'
import { AddressField } from './address-field.tsx'
import { bondedAddress, encoderAddress, type Protocol, protocolsOf } from './addresses.ts'
import { Choice } from './choice.tsx'
import styles from './ingest.module.css'
import type { Latency } from './queries.ts'
import { LoopbackNote } from './loopback-note.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { useIngestWords } from './use-ingest-words.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '#src/api/query.ts'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'

// Loads the QR library on first use.
const QrDialog = lazy(async () => ({ default: (await import('./qr-dialog.tsx')).QrDialog }))

interface Props {
  readonly projectId: number
  readonly streamKey: StreamKey
  readonly server: IngestServer | undefined
  readonly latency: Latency
  readonly protocol: Protocol
  readonly onProtocol: (protocol: Protocol) => void
}

/** Encoder settings to copy, and the actions that replace or share the key. */
export function EncoderCard({ projectId, streamKey, server, latency, protocol, onProtocol }: Props) {
  const { t } = useTranslation('ingest')
  const words = useIngestWords()
  const { isOperator } = useInstallation()
  const { key, masked = false } = streamKey
  const address = encoderAddress(server, protocol, { projectId, key })
  const offered = protocolsOf(server)
  const secretWords = (what: string) => ({ show: t('key.show'), copy: words.copy(what) })
  const isWhole = protocol === 'srt' && address !== null

  return (
    <Card
      title={t('encoder.title')}
      note={t(masked ? 'key.masked' : 'encoder.note')}
      actions={
        offered.length > 1 && (
          <Choice
            label={t('encoder.protocol')}
            value={protocol}
            choices={offered.map((value) => ({ value, label: value.toUpperCase() }))}
            onChange={onProtocol}
          />
        )
      }
    >
      <div className={styles.fields}>
        {isWhole && !masked ? (
          <>
            <SecretField
              label={t('encoder.whole')}
              hint={t('encoder.wholeHint')}
              value={address.whole}
              words={secretWords(t('encoder.whole'))}
            />
            <BondedField server={server} whole={address.whole} />
          </>
        ) : (
          <AddressField label={t('encoder.server')} value={address?.server ?? ''} empty={t('encoder.noServer')} />
        )}
        {masked ? (
          <AddressField label={t('key.label')} value={key} empty="" canCopy={false} />
        ) : (
          !isWhole && (
            <SecretField label={t('key.label')} hint={t('key.hint')} value={key} words={secretWords(t('key.label'))} />
          )
        )}
      </div>
      <LoopbackNote address={address?.server ?? ''} />
      {isWhole && server && <SrtLatency server={server} latency={latency} />}
      {server && !offered.includes('srt') && (
        <p className={styles.hint}>{t(`encoder.noSrt.${isOperator ? 'remedy' : 'text'}`)}</p>
      )}
      {!masked && <KeyActions projectId={projectId} whole={address?.plain} />}
    </Card>
  )
}

/** QR code with the key, and key rotation. @param props `whole`: the address with the key; absent without a server */
function KeyActions({ projectId, whole }: { readonly projectId: number; readonly whole: string | undefined }) {
  const { t } = useTranslation('ingest')
  const [open, setOpen] = useState<'rotate' | 'qr' | null>(null)
  return (
    <div className={styles.buttons}>
      <Button look="outline" isOff={!whole} onClick={() => setOpen('qr')} title={whole ? undefined : t('qr.off')}>
        <IconQrcode size={18} aria-hidden />
        {t('qr.button')}
      </Button>
      <Button look="outline" onClick={() => setOpen('rotate')}>
        <IconRefresh size={18} aria-hidden />
        {t('rotate.button')}
      </Button>
      {open === 'rotate' && <RotateDialog projectId={projectId} onClose={() => setOpen(null)} />}
      {open === 'qr' && whole && (
        <Suspense>
          <QrDialog whole={whole} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </div>
  )
}

/** Address for encoders that use several networks at once, where the server takes them. */
function BondedField({ server, whole }: { readonly server: IngestServer | undefined; readonly whole: string }) {
  const { t } = useTranslation('ingest')
  const words = useIngestWords()
  if (server?.bonding !== true) return null
  return (
    <SecretField
      label={t('encoder.bonded')}
      hint={t('encoder.bondedHint')}
      value={bondedAddress(whole)}
      words={{ show: t('key.show'), copy: words.copy(t('encoder.bonded')) }}
    />
  )
}

/** Recommended SRT latency, based on the measured latency; empty without a measurement. */
function SrtLatency({ server, latency }: { readonly server: IngestServer; readonly latency: Latency }) {
  const { t } = useTranslation('ingest')
  const language = useLanguage()
  const advice = useQuery({
    ...q(rtmpServers.srtLatency, { dst_ip: server.pingHost, rtt: latency ?? 0 }),
    enabled: typeof latency === 'number',
  }).data
  if (typeof latency !== 'number' || !advice?.latency) return null
  const values = { ms: formatNumber(advice.latency, language), us: String(advice.latency * 1000) }
  return <p className={styles.hint}>{t('encoder.srtLatency', values)}</p>
}
