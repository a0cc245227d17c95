// A form that sends a write: the contract validates, refusals appear beside their fields, unsaved input stays.
import { useState } from 'react'
import type { Input, Output, WriteOperation } from '#contract/core/operation.ts'
import { useWrite } from '#src/api/query.ts'
import { type FieldMap, useFieldTexts } from './field-texts.ts'
import { type FieldValues, useForm } from './use-form.ts'

interface Options<V extends FieldValues, O extends WriteOperation> extends FieldMap<V> {
  readonly op: O
  /** Initial values. When they change, fields that the user has not edited show the new ones. */
  readonly values: V
  /** Input of the operation. Runs at validation too, so it takes invalid values. */
  readonly inputOf: (values: V) => Input<O>
  /** Namespace with `refusal` texts. */
  readonly area?: string
  /** First validation: `onSubmit` at the first attempt, `onChange` at the first change. Default `onSubmit`. */
  readonly mode?: 'onSubmit' | 'onChange'
  /** Values of the form after a success. Default: those that were sent. */
  readonly next?: (sent: V) => V | Promise<V>
  /** Runs after a success, when the form has no unsaved input any more. */
  readonly onSuccess?: (output: Output<O>, sent: V) => unknown
}

/**
 * Form of a write operation (docs/decisions/0042-forms.md). `problem` is a failure that no field shows,
 * `output` the response of the last request, until the next edit.
 * @example
 * const form = useWriteForm({ op: settings.email, values: { email }, inputOf: ({ email }) => ({ email: email.trim() }) })
 * <form noValidate onSubmit={form.submit}><TextField label={t('email')} {...form.field('email')} /></form>
 */
export function useWriteForm<V extends FieldValues, O extends WriteOperation>(options: Options<V, O>) {
  const { op, values, inputOf, area, mode, next, onSuccess } = options
  const texts = useFieldTexts<V>(area, options)
  const write = useWrite(op)
  const [problem, setProblem] = useState<Error | null>(null)
  const form = useForm<V>({
    values,
    ...(mode && { mode }),
    check: (now) => texts.invalid(now, op.input, inputOf(now)),
    // A changed form shows neither the failure nor the success of the last request.
    onEdit: () => {
      setProblem(null)
      if (!write.isIdle && !write.isPending) write.reset()
    },
    onSubmit: async (sent) => {
      setProblem(null)
      let output: Output<O>
      try {
        output = await write.mutateAsync(inputOf(sent))
      } catch (error) {
        const { texts: beside, isWhole } = texts.refused(error, form.isShown)
        form.refuse(beside)
        if (isWhole) setProblem(error as Error)
        return
      }
      form.settle(sent, next ? await next(sent) : sent)
      await onSuccess?.(output, sent)
    },
  })
  return { ...form, write, problem, output: form.isBusy ? undefined : write.data }
}
