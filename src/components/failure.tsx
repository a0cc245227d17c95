import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { AnswerError } from '#src/api/answer-error.ts'
import { toApiError } from '#src/api/api-error.ts'
import { paths } from '#src/lib/paths.ts'
import { useOffline } from '#src/lib/use-offline.ts'
import styles from './failure.module.css'

interface Props {
  readonly title: string
  readonly error: Error
  /** Reason in the page's own text; default: from the error. */
  readonly why?: string
  readonly isRetrying: boolean
  readonly onRetry: () => void
}

/**
 * Shows a failed part in place with its reason, and a retry unless the server does not have the operation. A response that does not fit the contract appears under "Details".
 */
export function Failure({ title, error, why, isRetrying, onRetry }: Props) {
  const { t } = useTranslation('parts', { keyPrefix: 'failure' })
  const textOf = useFailureText()
  const { kind, name } = toApiError(error)
  return (
    <div className={styles.failure} aria-live="polite">
      <span aria-hidden className={styles.icon}>
        !
      </span>
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        <p>{why ?? textOf(error)}</p>
        {error instanceof AnswerError && <AnswerDetails error={error} />}
      </div>
      {name === 'SecondFactorDemanded' ? (
        <Link to={paths.account('security')}>{t('setUpFactor')}</Link>
      ) : (
        kind !== 'missing' && (
          <button
            type="button"
            className={styles.retry}
            aria-disabled={isRetrying}
            onClick={() => isRetrying || onRetry()}
          >
            {t(isRetrying ? 'retrying' : 'retry')}
          </button>
        )
      )}
    </div>
  )
}

/** Path at which a response does not fit the contract, and the response. */
function AnswerDetails({ error }: { error: AnswerError }) {
  const { t } = useTranslation('parts', { keyPrefix: 'failure' })
  return (
    <details className={styles.details}>
      <summary>{t('details')}</summary>
      <ul>
        {error.issues.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code>{path || t('wholeAnswer')}</code> {t('received', { value: rawText(valueAt(error.answer, path)) })}
          </li>
        ))}
      </ul>
      {/* A field, so that the keyboard can scroll and copy a long response. */}
      <textarea readOnly rows={12} aria-label={t('rawAnswer')} value={rawText(error.answer, 20_000)} />
    </details>
  )
}

/** The value received at a path. */
const valueAt = (answer: unknown, path: string): unknown =>
  path
    .split('.')
    .filter(Boolean)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], answer)

/** A value as received, truncated where it would fill the page. */
function rawText(value: unknown, max = 80): string {
  const text = JSON.stringify(value, null, 2) ?? String(value)
  return text.length > max ? `${text.slice(0, max)}…` : text
}

/**
 * Reason of a failure as a sentence. A refusal has that of the service, in the user's language, unless the page says more
 * (`refusal` of its texts). Other failures have the texts of all pages.
 * @param area namespace with `refusal` texts
 */
export function useFailureText(area = 'parts'): (error: unknown) => string {
  const { t, i18n } = useTranslation(['parts', area], { keyPrefix: 'failure' })
  const isOffline = useOffline()
  return (error) => {
    const { kind, name, data, message, status } = toApiError(error)
    const known = [`${area}:refusal.${name}`, `parts:failure.refusal.${name}`].find((key) => i18n.exists(key))
    if (known !== undefined) return i18n.t(known, data)
    if (kind === 'refused') return message
    if (kind === 'missing') return t('missing')
    if (kind === 'unknown' && status === null) return t('ours', { message })
    return t(`kind.${kind === 'offline' && !isOffline ? 'unsent' : kind}`, { status })
  }
}
