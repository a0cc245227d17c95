import { useTranslation } from 'react-i18next'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { download, toCsv } from '#src/lib/table-file.ts'
import { comparedMax, type View } from './analytics-view.ts'
import styles from './analytics.module.css'
import { cellsOf, columns, comparedOf, type Row, toggled } from './figures.ts'
import { FiguresTable } from './figures-table.tsx'

interface Props {
  readonly projectId: number
  readonly rows: readonly Row[]
  readonly total: number
  readonly view: View
  readonly now: number
  readonly onChange: (change: Partial<View>) => void
}

/** Table of broadcasts in the period, with a selection for the comparison and a CSV export. */
export function FiguresCard({ projectId, rows, total, view, now, onChange }: Props) {
  const { t } = useTranslation('analytics', { keyPrefix: 'figures' })
  const chosen = comparedOf(rows, view).map(({ id }) => id)
  const save = (format: 'csv' | 'json') => {
    const name = `broadcasts-${projectId}-${view.period}-days.${format}`
    if (format === 'json') return download(name, 'application/json', `${JSON.stringify(rows, null, 2)}\n`)
    const lines = rows.map((row) => cellsOf(row, Date.now()))
    return download(name, 'text/csv;charset=utf-8', toCsv(columns, lines))
  }
  return (
    <Card title={t('title')} note={t('note', { count: comparedMax })}>
      <FiguresTable
        projectId={projectId}
        rows={rows}
        chosen={chosen}
        now={now}
        onToggle={(id) => onChange({ compared: toggled(chosen, id) })}
      />
      <div className={styles.foot} role="group" aria-label={t('export')}>
        <Button look="outline" onClick={() => save('csv')}>
          {t('csv')}
        </Button>
        <Button look="outline" onClick={() => save('json')}>
          {t('json')}
        </Button>
        {total > rows.length && <span className={styles.quiet}>{t('cut', { count: rows.length, total })}</span>}
      </div>
    </Card>
  )
}
