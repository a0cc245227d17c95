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
