import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import type { Parameter } from '#contract/core/describe.ts'
import type { Operation } from '#contract/core/operation.ts'
import { type FieldBinding, useForm } from '#src/components/form/use-form.ts'
import { paths } from '#src/lib/paths.ts'
import { useAuth } from '#src/stores/session.ts'
import { Button } from '#src/ui/button.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import type { Known } from './curl.ts'
import styles from './reference.module.css'
import { wordOf } from './shape.ts'
import { CodeBlock } from '#src/components/code-block.tsx'
import { useFailureText } from '#src/components/failure.tsx'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { useCopyWords } from './use-copy-words.ts'
import { AnswerError } from '#src/api/answer-error.ts'
import { type ApiFailure, toApiError } from '#src/api/api-error.ts'
import { parseAnswer, requestOf } from '#src/api/call.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { HttpError } from '#src/session/errors.ts'

/** Maximum length of a displayed response, characters. */
const shownMax = 100_000

/** Result of a call: status, duration, contract violation, and body. */
function RunOutcome({ outcome: { status, ms, body, failure, misfit } }: { outcome: Outcome }) {
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

interface Props {
  readonly op: Operation
  readonly parameters: readonly Parameter[]
  readonly known: Known
}

/** Runs a read with the current session and shows the response. */
export function RunPanel({ op, parameters, known }: Props) {
  const { t } = useTranslation('reference')
  const isSignedOut = useAuth(({ status }) => status === 'unauthenticated')
  // The client adds `v` and `language` to every call.
  const own = parameters.filter(({ name }) => !(op.carries as readonly string[]).includes(name))
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const form = useForm<Readonly<Record<string, string>>>({
    values: Object.fromEntries(own.map(({ name, required }) => [name, required ? String(known[name] ?? '') : ''])),
    onSubmit: async (values) => setOutcome(await run(op, values)),
  })

  return (
    <section className={styles.run}>
      <h4>{t('run.title')}</h4>
      {isSignedOut && op.auth !== 'none' ? (
        <SignInFirst />
      ) : (
        <form className={styles.runForm} onSubmit={form.submit}>
          {own.map((parameter) => (
            <Field key={parameter.name} parameter={parameter} {...form.field(parameter.name)} />
          ))}
          <Button type="submit" isBusy={form.isBusy}>
            {t('run.button')}
          </Button>
        </form>
      )}
      {outcome && <RunOutcome outcome={outcome} />}
    </section>
  )
}

function SignInFirst() {
  const { t } = useTranslation('reference')
  const { pathname, search } = useLocation()
  return (
    <p>
      {t('run.signInFirst')} <Link to={paths.signIn(pathname + search)}>{t('run.signIn')}</Link>
    </p>
  )
}

interface FieldProps extends FieldBinding<string> {
  readonly parameter: Parameter
}

function Field({ parameter: { name, required, schema }, ...binding }: FieldProps) {
  const { t } = useTranslation('reference')
  const label = (
    <>
      <code>{name}</code> {!required && <span className={styles.muted}>{t('parameters.optional')}</span>}
    </>
  )
  const common = { ...binding, label, 'aria-required': required }
  if (!schema.enum) {
    return (
      <TextField
        {...common}
        inputMode={schema.type === 'integer' ? 'numeric' : 'text'}
        placeholder={schema.default === undefined ? '' : wordOf(schema.default)}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
      />
    )
  }
  const choices = schema.enum.map(String)
  return (
    <SelectField
      {...common}
      choices={[{ value: '', label: t('run.notSent') }, ...choices.map((choice) => ({ value: choice, label: choice }))]}
    />
  )
}

// Runs an operation with the user's input and keeps the response unchanged.

interface Outcome {
  /** Null without a response. */
  readonly status: number | null
  readonly ms: number
  /** Parsed response body; undefined for none. */
  readonly body: unknown
  readonly failure: ApiFailure | null
  /** Contract violation of a successful response. */
  readonly misfit: AnswerError | null
}

/** Sends the filled-in parameters as typed; the service validates them. */
async function run(op: Operation, values: Readonly<Record<string, string>>): Promise<Outcome> {
  const { client, language } = apiRuntime()
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  const { path, init } = requestOf(op, filled, language())
  const start = performance.now()
  const took = () => Math.round(performance.now() - start)
  try {
    const auth = op.auth === 'none' ? 'none' : 'required'
    const { status, body } = await client.request(path, { ...init, auth, replay: op.replay })
    return { status, ms: took(), body, failure: null, misfit: misfitOf(op, body) }
  } catch (error) {
    const failure = toApiError(error)
    const body = error instanceof HttpError ? error.body : undefined
    return { status: failure.status, ms: took(), body, failure, misfit: null }
  }
}

function misfitOf(op: Operation, body: unknown): AnswerError | null {
  try {
    parseAnswer(op, body)
    return null
  } catch (error) {
    if (error instanceof AnswerError) return error
    throw error
  }
}
