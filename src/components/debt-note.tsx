import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { projects } from '#contract/areas/projects/projects.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'
import { formatMoney } from '#src/lib/format.ts'
import { moneyText } from '#src/lib/money-input.ts'
import { paths } from '#src/lib/paths.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Note } from '#src/ui/note.tsx'

/** Debt of a project with its amount and consequences; for owners a link that tops up the amount. Nothing without a debt. */
export function DebtNote({ projectId }: { readonly projectId: number }) {
  const { t } = useTranslation('parts', { keyPrefix: 'debt' })
  const language = useLanguage()
  const { data } = useQuery(q(projects.info, { project_id: projectId }))
  const { debt = 0, currency } = data?.data ?? {}
  if (debt === 0 || currency === undefined) return null
  return (
    <Note tone="warn">
      {t('text', { amount: formatMoney(debt, currency, language) })}{' '}
      {data && roleCan(data.access.access_type, 'owner') && (
        <Link to={`${paths.billing(projectId)}?amount=${moneyText(debt)}`}>{t('link')}</Link>
      )}
    </Note>
  )
}
