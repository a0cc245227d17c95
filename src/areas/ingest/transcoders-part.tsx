import { useTranslation } from 'react-i18next'
import { NotServed } from '#src/components/not-served.tsx'

/** Copies of the stream in other sizes. */
export function TranscodersPart() {
  const { t } = useTranslation('ingest')
  return <NotServed title={t('tab.transcoders')} text={t('transcoders')} groups={['ingest.transcoders']} />
}
