import { useTranslation } from 'react-i18next'
import { AnswerError } from '#src/api/answer-error.ts'
import { toApiError } from '#src/api/api-error.ts'
import styles from './failure.module.css'

interface Props {
  readonly title: string
  readonly error: Error
  readonly isRetrying: boolean
  readonly onRetry: () => void
}

/** Says in place what could not be shown and why. An answer that nobody can read is shown as it came, under "Details". */
export function PartFailure({ title, error, isRetrying, onRetry }: Props) {
  const { t } = useTranslation('tariffs')
  const why = useFailureText()
  return (
    <div className={styles.failure} role="status">
      <span aria-hidden className={styles.icon}>
        !
      </span>
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        <p>{why(error)}</p>
        {error instanceof AnswerError && <AnswerDetails error={error} />}
      </div>
      <button type="button" className={styles.retry} aria-disabled={isRetrying} onClick={() => isRetrying || onRetry()}>
        {t(isRetrying ? 'failure.retrying' : 'failure.retry')}
      </button>
    </div>
  )
}

function AnswerDetails({ error }: { error: AnswerError }) {
  const { t } = useTranslation('tariffs')
  return (
    <details className={styles.details}>
      <summary>{t('failure.details')}</summary>
      <ul>
        {error.issues.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code>{path || t('failure.wholeAnswer')}</code> {message}
          </li>
        ))}
      </ul>
      <p>{t('failure.rawAnswer')}</p>
      {/* Focusable, so that a long answer can be scrolled by keyboard. */}
      <pre role="region" aria-label={t('failure.rawAnswer')} tabIndex={0}>
        {rawText(error.answer)}
      </pre>
    </details>
  )
}

/** Longest answer that is put on the page, characters. */
const rawMax = 20_000

function rawText(answer: unknown): string {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2)
  return text.length > rawMax ? `${text.slice(0, rawMax)}…` : text
}

/** Why something failed, in a sentence. A refusal that this page knows by name is told in its own words. */
export function useFailureText(): (error: unknown) => string {
  const { t, i18n } = useTranslation('tariffs')
  return (error) => {
    const { kind, name, message, status } = toApiError(error)
    if (kind === 'refused' && i18n.exists(`tariffs:refusal.${name}`)) return t(`refusal.${name}`)
    if (status === 404 || status === 405 || status === 501) return t('failure.missing')
    if (kind === 'refused') return message
    if (kind === 'unknown' && status === null) return t('failure.ours', { message })
    return t(`failure.${kind}`, { status })
  }
}
