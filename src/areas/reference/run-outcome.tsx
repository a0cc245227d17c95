import { useTranslation } from 'react-i18next'
import { CodeBlock } from '#src/components/code-block.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import styles from './reference.module.css'
import type { Outcome } from './run.ts'
import { useCopyWords } from './use-copy-words.ts'

/** Maximum length of a displayed response, characters. */
const shownMax = 100_000

/** Result of a call: status, duration, contract violation, and body. */
export function RunOutcome({ outcome: { status, ms, body, failure, misfit } }: { outcome: Outcome }) {
  const { t } = useTranslation('reference')
  const copy = useCopyWords()
  const language = useLanguage()
  const why = useFailureText()
  const isGood = failure === null && misfit === null
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  return (
    <div className={styles.outcome}>
      <output className={styles.verdict} data-good={isGood || undefined}>
        <strong>{status === null ? t('run.noAnswer') : `HTTP ${status}`}</strong>{' '}
        {t('run.took', { ms: formatNumber(ms, language) })}
        {failure && <span> {why(failure.cause)}</span>}
        {isGood && <span> {t('run.fits')}</span>}
        {misfit && <span> {t('run.misfit')}</span>}
      </output>
      {misfit && (
        <ul className={styles.issues}>
          {misfit.issues.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path || t('run.root')}</code> <span lang="en">{message}</span>
            </li>
          ))}
        </ul>
      )}
      {text !== undefined && <CodeBlock label={t('run.answer')} text={shortened(text)} copy={copy} />}
    </div>
  )
}

const shortened = (text: string): string => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text)
