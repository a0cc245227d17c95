import type { AddOnName } from '#src/components/plan-cards/add-on-card.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { toApiError } from '#src/api/api-error.ts'
import { q } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { formatDate } from '#src/lib/format.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from '#src/components/plan-cards/add-ons.module.css'
import { addOns, type AddOnSlot, useUnitWords } from '#src/areas/tariffs/lines.ts'

const names = ['transcoding', 'storage'] as const

/** One quiet row for each other line, below the restream slots. */
export function OtherLines({ projectId }: { projectId: number }) {
  return (
    <ul className={styles.others}>
      {names.map((line) => (
        <OtherLine key={line} line={line} projectId={projectId} />
      ))}
    </ul>
  )
}

function OtherLine({ line, projectId }: { line: AddOnName; projectId: number }) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const { wordsOf } = useUnitWords(line)
  const { data, error } = useQuery(q(addOns[line].ops.slots, { project_id: projectId }))
  const why = useFailureText()
  if (error && !data && toApiError(error).kind === 'missing') return null
  const current: AddOnSlot | null = data?.current ?? null
  const end = current?.date_end
  return (
    <li>
      <Link to={paths.tariffs(projectId, line)}>{t(`line.${line}`)}</Link>{' '}
      <span>
        {data === undefined ? (error ? why(error) : '…') : current ? wordsOf(current) : t(`addOn.none.${line}`)}
        {end &&
          t('common:comma') +
            t(current.prolongation === 1 ? 'addOn.renews' : 'addOn.ends', { date: formatDate(end, language) })}
      </span>
    </li>
  )
}
