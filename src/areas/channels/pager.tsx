import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { iconButtonClass } from '#src/ui/button.tsx'
import styles from './channels.module.css'
import { pageSize, type View, writeView } from './view.ts'

/** Which of the channels are shown, and the ways to the ones before and after. */
export function Pager({ view, total }: { readonly view: View; readonly total: number }) {
  const { t } = useTranslation('channels')
  const language = useLanguage()
  const first = (view.page - 1) * pageSize + 1
  const last = Math.min(total, view.page * pageSize)
  const to = (page: number) => ({ search: writeView(view, { page }).toString() })
  const number = (value: number) => formatNumber(value, language)
  return (
    <nav className={styles.pager} aria-label={t('pager.label')}>
      {view.page > 1 && (
        <Link to={to(view.page - 1)} className={iconButtonClass} aria-label={t('pager.previous')} rel="prev">
          <IconChevronLeft size={20} aria-hidden />
        </Link>
      )}
      <span className="tabular">
        {t('pager.range', { first: number(first), last: number(last), total: number(total) })}
      </span>
      {last < total && (
        <Link to={to(view.page + 1)} className={iconButtonClass} aria-label={t('pager.next')} rel="next">
          <IconChevronRight size={20} aria-hidden />
        </Link>
      )}
    </nav>
  )
}
