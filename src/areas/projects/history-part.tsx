import { useTranslation } from 'react-i18next'
import { NotServed } from '#src/components/not-served.tsx'

/** Who did what in the project. */
export function HistoryPart() {
  const { t } = useTranslation('projects')
  return <NotServed title={t('history.title')} text={t('history.text')} groups={['projects.history']} />
}
