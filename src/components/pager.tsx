import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, type To } from 'react-router'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { iconButtonClass } from '#src/ui/button.tsx'
import styles from './pager.module.css'

interface Props {
  /** Current page, from 1. */
  readonly page: number
  /** Items per page. */
  readonly size: number
  readonly total: number
  readonly to: (page: number) => To
}

/** Position in a list with links to the previous and next pages; renders nothing for a single page. */
export function Pager({ page, size, total, to }: Props) {
  const { t } = useTranslation('parts', { keyPrefix: 'pager' })
  const language = useLanguage()
  if (total <= size && page === 1) return null
  const last = Math.min(total, page * size)
  const number = (value: number) => formatNumber(value, language)
  const range = { first: number((page - 1) * size + 1), last: number(last), total: number(total) }
  return (
    <nav className={styles.pager} aria-label={t('label')}>
      {page > 1 && (
        <Link to={to(page - 1)} className={iconButtonClass} aria-label={t('previous')} rel="prev">
          <IconChevronLeft size={20} aria-hidden />
        </Link>
      )}
      {(page - 1) * size < total && <span className="tabular">{t('range', range)}</span>}
      {last < total && (
        <Link to={to(page + 1)} className={iconButtonClass} aria-label={t('next')} rel="next">
          <IconChevronRight size={20} aria-hidden />
        </Link>
      )}
    </nav>
  )
}
