import { useTranslation } from 'react-i18next'
import type { Parameter } from '#contract/core/describe.ts'
import styles from './reference.module.css'
import { limitsOf, shapeOf } from './shape.ts'

/** Parameters of an operation, one per row; blocks on narrow screens. */
export function ParametersTable({ parameters, labelledBy }: { parameters: readonly Parameter[]; labelledBy: string }) {
  const { t } = useTranslation('reference')
  return (
    <table className={styles.table} aria-labelledby={labelledBy}>
      <thead>
        <tr>
          <th scope="col">{t('parameters.name')}</th>
          <th scope="col">{t('parameters.in')}</th>
          <th scope="col">{t('parameters.type')}</th>
          <th scope="col">{t('parameters.note')}</th>
        </tr>
      </thead>
      <tbody>
        {parameters.map(({ name, in: place, required, schema, note }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>{' '}
              <span className={required ? styles.required : styles.muted}>
                {t(required ? 'parameters.required' : 'parameters.optional')}
              </span>
            </th>
            <td data-label={t('parameters.in')}>{t(`parameters.place.${place}`)}</td>
            <td data-label={t('parameters.type')}>
              <code>{shapeOf(schema)}</code>
              {limitsOf(schema).map(({ kind, value }) => (
                <span key={kind} className={styles.limit}>
                  {t(`limit.${kind}`, { value })}
                </span>
              ))}
            </td>
            <td data-label={t('parameters.note')}>{note && <span lang="en">{note}</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
