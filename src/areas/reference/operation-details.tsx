import { lazy, Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { describe, type Parameter } from '#contract/core/describe.ts'
import type { Operation } from '#contract/core/operation.ts'
import { scopesFor } from '#contract/core/scopes.ts'
import { CodeBlock } from '#src/components/code-block.tsx'
import { apiRuntime } from '#src/api/runtime.ts'
import { selectedProject } from '#src/stores/selected-project.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { curlOf, type Known } from './curl.ts'
import styles from './reference.module.css'
import { limitsOf, shapeOf } from './shape.ts'
import { useCopyWords } from './use-copy-words.ts'

// Loads the component library only when the user opens an operation.
const RunPanel = lazy(async () => ({ default: (await import('./run-panel.tsx')).RunPanel }))

/** Contract of an operation, and a panel that runs it. */
export function OperationDetails({ op }: { op: Operation }) {
  const { t } = useTranslation('reference')
  const copy = useCopyWords()
  const { language, baseUrl } = apiRuntime()
  const { parameters, answer } = describe(op)
  const projectId = selectedProject()
  const known: Known = { language: language(), ...(projectId === null ? {} : { project_id: projectId }) }
  const id = useId()
  const scopeText = ({ scope }: Operation) =>
    scope === 'any' || scope === 'session' ? t(`scope.${scope}`) : scopesFor(scope).join(t('scope.or'))
  const isRedirect = op.status === 301 || op.status === 302
  const answerNotes = Object.entries(op.notes).filter(([name]) => !parameters.some((one) => one.name === name))
  return (
    <>
      <dl className={styles.facts}>
        <Fact name={t('fact.provenance')} text={t(`provenanceText.${op.provenance}`)} />
        <Fact name={t('fact.caller')} text={t(`caller.${op.auth}`)} />
        <Fact name={t('fact.scope')} text={scopeText(op)} />
        <Fact name={t('fact.kind')} text={t(`kind.${op.kind}`)} />
        <Fact name={t('fact.placement')} text={t(`placement.${op.placement}`)} />
        <Fact name={t('fact.status')} text={t(isRedirect ? 'fact.redirects' : 'fact.answers', { status: op.status })} />
      </dl>
      <section>
        <h4 id={`${id}-parameters`}>{t('parameters.title')}</h4>
        {parameters.length === 0 ? (
          <p className={styles.muted}>{t('parameters.none')}</p>
        ) : (
          <ParametersTable parameters={parameters} labelledBy={`${id}-parameters`} />
        )}
      </section>
      <div className={styles.pair}>
        <section>
          <CodeBlock label={t('answer.title')} text={isRedirect ? t('answer.location') : shapeOf(answer)} />
          {answerNotes.length > 0 && (
            <dl className={styles.notes}>
              {answerNotes.map(([name, note]) => (
                <div key={name}>
                  <dt>
                    <code>{name}</code>
                  </dt>
                  <dd lang="en">{note}</dd>
                </div>
              ))}
            </dl>
          )}
        </section>
        <section>
          <CodeBlock label="curl" text={curlOf(op, baseUrl, known)} copy={copy} />
          {op.auth !== 'none' && <p className={styles.hint}>{t('curl.token')}</p>}
        </section>
      </div>
      {op.kind === 'read' && (
        <Suspense fallback={<Skeleton height={122} />}>
          <RunPanel op={op} parameters={parameters} known={known} />
        </Suspense>
      )}
    </>
  )
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  )
}

/** Parameters of an operation, one per row; blocks on narrow screens. */
function ParametersTable({ parameters, labelledBy }: { parameters: readonly Parameter[]; labelledBy: string }) {
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
