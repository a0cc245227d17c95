import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QrCode } from '#src/components/qr-code.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { larixLink } from './addresses.ts'
import { Choice } from './choice.tsx'
import styles from './ingest.module.css'
import { LoopbackNote } from './loopback-note.tsx'

/** QR code of the address with the key, for a phone. Generated in the browser; discarded with the dialog. */
export function QrDialog({ whole, onClose }: { readonly whole: string; readonly onClose: () => void }) {
  const { t } = useTranslation('ingest')
  const [kind, setKind] = useState<'larix' | 'text'>('larix')
  return (
    <Dialog title={t('qr.title')} onClose={onClose}>
      <div className={styles.qr}>
        <Choice
          label={t('qr.kind')}
          value={kind}
          choices={[
            { value: 'larix', label: t('qr.larix') },
            { value: 'text', label: t('qr.text') },
          ]}
          onChange={setKind}
        />
        <QrCode text={kind === 'larix' ? larixLink(whole) : whole} label={t('qr.label')} />
        <LoopbackNote address={whole} isForPhone />
        <p>{t(`qr.${kind}Hint`)}</p>
        <p className={styles.quiet}>{t('qr.warning')}</p>
      </div>
    </Dialog>
  )
}

/** QR code of a pull address, for a phone. */
export function AddressQr({ address, onClose }: { readonly address: string; readonly onClose: () => void }) {
  const { t } = useTranslation('ingest')
  return (
    <Dialog title={t('pull.qrTitle')} onClose={onClose}>
      <div className={styles.qr}>
        <QrCode text={address} label={t('pull.qrLabel')} />
        <LoopbackNote address={address} isForPhone />
        <p>{t('pull.qrHint')}</p>
        <p className={styles.quiet}>{t('pull.warning')}</p>
      </div>
    </Dialog>
  )
}
