import { type SyntheticEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import type { Parameter } from '#contract/core/describe.ts'
import type { Operation } from '#contract/core/operation.ts'
import { paths } from '#src/lib/paths.ts'
import { useAuth } from '#src/stores/session.ts'
import { Button } from '#src/ui/button.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import type { Known } from './curl.ts'
import styles from './reference.module.css'
import { type Outcome, run } from './run.ts'
import { RunOutcome } from './run-outcome.tsx'
import { wordOf } from './shape.ts'

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
  const [values, setValues] = useState(() =>
    Object.fromEntries(own.map(({ name, required }) => [name, required ? String(known[name] ?? '') : ''])),
  )
  const [isRunning, setRunning] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)

  const handleRun = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (isRunning) return
    setRunning(true)
    setOutcome(await run(op, values))
    setRunning(false)
  }
  const change = (name: string, value: string) => setValues((now) => ({ ...now, [name]: value }))

  return (
    <section className={styles.run}>
      <h4>{t('run.title')}</h4>
      {isSignedOut && op.auth !== 'none' ? (
        <SignInFirst />
      ) : (
        <form className={styles.runForm} onSubmit={(event) => void handleRun(event)}>
          {own.map((parameter) => (
            <Field
              key={parameter.name}
              parameter={parameter}
              value={values[parameter.name] ?? ''}
              onChange={(value) => change(parameter.name, value)}
            />
          ))}
          <Button type="submit" isBusy={isRunning}>
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

interface FieldProps {
  readonly parameter: Parameter
  readonly value: string
  readonly onChange: (value: string) => void
}

function Field({ parameter: { name, required, schema }, value, onChange }: FieldProps) {
  const { t } = useTranslation('reference')
  const label = (
    <>
      <code>{name}</code> {!required && <span className={styles.muted}>{t('parameters.optional')}</span>}
    </>
  )
  const common = { label, value, 'aria-required': required }
  if (!schema.enum) {
    return (
      <TextField
        {...common}
        inputMode={schema.type === 'integer' ? 'numeric' : 'text'}
        placeholder={schema.default === undefined ? '' : wordOf(schema.default)}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={onChange}
      />
    )
  }
  const choices = schema.enum.map(String)
  return (
    <SelectField
      {...common}
      choices={[{ value: '', label: t('run.notSent') }, ...choices.map((choice) => ({ value: choice, label: choice }))]}
      onChange={onChange}
    />
  )
}
