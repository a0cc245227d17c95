import { useTranslation } from 'react-i18next'
import { CodeBlock } from '#src/components/code-block.tsx'
import type { PublishedFacts } from './published.ts'
import styles from './reference.module.css'

/** Published facts about an operation that is not served yet. */
export function WaitingDetails({ facts }: { facts: PublishedFacts | undefined }) {
  const { t } = useTranslation('reference')
  if (!facts) return <p className={styles.muted}>{t('published.nothing')}</p>
  const { parameters, answer, status, versions } = facts
  return (
    <>
      <p className={styles.muted}>{t('published.text', { seen: facts.seen })}</p>
      <dl className={styles.facts}>
        <div>
          <dt>{t('fact.status')}</dt>
          <dd>{status.join(', ')}</dd>
        </div>
        {versions.length > 0 && (
          <div>
            <dt>{t('published.versions')}</dt>
            <dd>{versions.join(', ')}</dd>
          </div>
        )}
      </dl>
      <section>
        <h4>{t('parameters.title')}</h4>
        {parameters.length === 0 ? (
          <p className={styles.muted}>{t('parameters.none')}</p>
        ) : (
          <ul className={styles.published}>
            {parameters.map(({ name, isRequired, choice }) => (
              <li key={name}>
                <code>{name}</code>{' '}
                <span className={isRequired ? styles.required : styles.muted}>
                  {t(isRequired ? 'parameters.required' : 'parameters.optional')}
                </span>
                {choice.length > 0 && <code className={styles.choice}>{choice.join(' | ')}</code>}
              </li>
            ))}
          </ul>
        )}
      </section>
      {answer.length === 0 ? (
        <section>
          <h4>{t('published.answer')}</h4>
          <p className={styles.muted}>{t('published.noAnswer')}</p>
        </section>
      ) : (
        <CodeBlock label={t('published.answer')} text={answer.join('\n')} />
      )}
    </>
  )
}
