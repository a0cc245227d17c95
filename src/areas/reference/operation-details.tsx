import { lazy, Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { describe } from '#contract/core/describe.ts'
import type { Operation } from '#contract/core/operation.ts'
import { CodeBlock } from '#src/components/code-block.tsx'
import { apiRuntime } from '#src/api/runtime.ts'
import { selectedProject } from '#src/stores/selected-project.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { curlOf, type Known } from './curl.ts'
import { ParametersTable } from './parameters-table.tsx'
import styles from './reference.module.css'
import { shapeOf } from './shape.ts'
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
  const isRedirect = op.status === 301 || op.status === 302
  const answerNotes = Object.entries(op.notes).filter(([name]) => !parameters.some((one) => one.name === name))
  return (
    <>
      <dl className={styles.facts}>
        <Fact name={t('fact.provenance')} text={t(`provenanceText.${op.provenance}`)} />
        <Fact name={t('fact.caller')} text={t(`caller.${op.auth}`)} />
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
