// State of a form on react-hook-form: values, errors by field, unsaved input, focus on the first error.
import { type SyntheticEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  type FieldErrors,
  type FieldValues,
  type Path,
  type PathValue,
  useForm as useHookForm,
  useWatch,
} from 'react-hook-form'

export type { FieldValues }

/** Texts of invalid fields. */
export type FieldTexts<V> = { readonly [K in keyof V]?: string | undefined }

/** Name of a field. */
export type NameOf<V> = keyof V & string

interface Options<V extends FieldValues> {
  /** Initial values. When they change, fields that the user has not edited show the new ones. */
  readonly values: V
  /** Returns a text for each invalid field. Default: every value is valid. */
  readonly check?: (values: V) => FieldTexts<V>
  /** First validation: `onSubmit` at the first attempt, `onChange` at the first change. Default `onSubmit`. */
  readonly mode?: 'onSubmit' | 'onChange'
  /** Runs when the user edits a field. */
  readonly onEdit?: () => void
  /** Receives valid values. The form is busy until the promise settles. */
  readonly onSubmit: (values: V) => Promise<void>
}

/**
 * Props of one field, for the field components of `src/ui`. Without a name, so that no browser puts a value into a URL.
 */
export interface FieldBinding<T> {
  readonly value: T
  readonly error: string | undefined
  readonly ref: (element: HTMLElement | null) => void
  readonly onChange: (value: T) => void
}

export interface Form<V extends FieldValues> {
  /** Current values. */
  readonly values: V
  readonly isDirty: boolean
  readonly isBusy: boolean
  /**
   * Props of a field.
   * @example <TextField label={t('email')} {...form.field('email')} />
   */
  readonly field: <K extends NameOf<V>>(name: K) => FieldBinding<V[K]>
  /** Returns whether the page shows a field of this name. Valid after the render. */
  readonly isShown: (name: string) => boolean
  /** Edits several fields together. */
  readonly change: (part: Partial<V>) => void
  /** Validates and submits; moves the focus to the first invalid field. */
  readonly submit: (event?: SyntheticEvent) => void
  /** Discards unsaved input. */
  readonly undo: () => void
  /** Shows texts beside fields, until the next edit of each, and moves the focus to the first. */
  readonly refuse: (texts: FieldTexts<V>) => void
  /** Makes `saved` the values without unsaved input, before it returns. Input since `sent` stays. */
  readonly settle: (sent: V, saved: V) => void
}

// Options of a reset by new `values`; they are also the defaults of every other reset.
const keepEdits = { keepDirtyValues: true, keepErrors: true, keepIsSubmitted: true }
const dropEdits = { keepDirtyValues: false, keepErrors: false, keepIsSubmitted: false }

/** Form without a write operation. For operations, use `useWriteForm`. */
export function useForm<V extends FieldValues>({ values, check, mode, onEdit, onSubmit }: Options<V>): Form<V> {
  const shown = new Set<string>()
  const form = useHookForm<V>({
    values,
    resetOptions: keepEdits,
    mode: mode ?? 'onSubmit',
    resolver: (now) => {
      // A fault that no field shows is left to the service.
      const texts = Object.entries(check?.(now) ?? {}).filter(([name, text]) => text && shown.has(name))
      const errors = Object.fromEntries(texts.map(([name, message]) => [name, { type: 'invalid', message }]))
      return texts.length === 0 ? { values: now, errors: {} } : { values: {}, errors: errors as FieldErrors<V> }
    },
  })
  const { isDirty, isSubmitting, isSubmitted, errors, defaultValues } = form.formState
  const now = useWatch({ control: form.control }) as V
  // A reset ends the submission of the library while the promise is still pending.
  const [isSending, setSending] = useState(false)
  const isBusy = isSubmitting || isSending
  const send = async (sent: V) => {
    setSending(true)
    try {
      await onSubmit(sent)
    } finally {
      setSending(false)
    }
  }
  const set = <K extends NameOf<V>>(name: K, value: V[K], shouldValidate: boolean) =>
    form.setValue(name as string as Path<V>, value as PathValue<V, Path<V>>, { shouldDirty: true, shouldValidate })
  return {
    values: now,
    isDirty,
    isBusy,
    isShown: (name) => shown.has(name),
    field: (name) => {
      shown.add(name)
      const { ref, onChange } = form.register(name as string as Path<V>)
      const message = errors[name]?.message
      return {
        value: now[name],
        error: typeof message === 'string' ? message : undefined,
        ref,
        onChange: (value) => {
          onEdit?.()
          // Without a type, the library takes the value from the event instead of the element.
          void onChange({ target: { name, value } })
        },
      }
    },
    change: (part) => {
      onEdit?.()
      for (const name of Object.keys(part)) set(name, part[name] as V[string], isSubmitted || mode === 'onChange')
    },
    submit: (event) => {
      event?.preventDefault()
      if (!isBusy) void form.handleSubmit(send)()
    },
    undo: () => {
      onEdit?.()
      form.reset(defaultValues as V, dropEdits)
    },
    refuse: (texts) => {
      for (const [at, [name, message]] of Object.entries(texts).entries())
        if (message) form.setError(name as Path<V>, { type: 'refused', message }, { shouldFocus: at === 0 })
    },
    settle: (sent, saved) =>
      flushSync(() => {
        const edited = form.getValues()
        form.reset(saved, dropEdits)
        for (const name of Object.keys(edited)) if (edited[name] !== sent[name]) set(name, edited[name], false)
      }),
  }
}
