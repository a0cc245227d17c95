import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { projects } from '#contract/areas/projects/projects.ts'
import { q } from '#src/api/query.ts'
import { CopyButton } from '#src/ui/copy-button.tsx'
import styles from './sharing.module.css'

/** Project id that other projects need for an invitation. */
export function SharedOwnId({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('sharing')
  const list = useQuery(q(projects.list, { limit: 100 }))
  const id = list.data?.results.find((row) => row.project_id === projectId)?.project.external_id
  if (!id) return null
  const words = { idle: t('copy.id'), copied: t('copy.copied'), refused: t('copy.refused') }
  return (
    <div className={styles.own}>
      <span className={styles.quiet}>{t('tab.ownId')}</span>
      <code>{id}</code>
      <CopyButton text={id} words={words} />
    </div>
  )
}
