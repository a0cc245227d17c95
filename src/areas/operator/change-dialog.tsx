import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Input, Output, WriteOperation } from '#contract/core/operation.ts'
import type { FieldMap } from '#src/components/form/field-texts.ts'
import type { FieldBinding, FieldValues, Form } from '#src/components/form/use-form.ts'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { ReasonDialog } from './reason-dialog.tsx'

interface Props<V extends FieldValues, O extends WriteOperation> extends Pick<
  FieldMap<V>,
  'messages' | 'refusals' | 'rules'
> {
  readonly title: string
  /** Text of the button. Default: save. */
  readonly confirm?: string
  readonly op: O
  /** Initial values, without the reason. */
  readonly values: V
  /** Input of the operation, without the reason. */
  readonly inputOf: (values: V) => Omit<Input<O>, 'reason'>
  /** The change is not possible as it is. */
  readonly isOff?: boolean
  readonly onClose: () => void
  /** Receives the response before the dialog closes. */
  readonly onDone?: (output: Output<O>) => void
  /** Fields above the reason. */
  readonly children?: (form: Pick<Form<V>, 'values' | 'field' | 'change'>) => ReactNode
}

/** Dialog of a write about money that takes a reason: its fields, the reason, and the form between them. */
export function ChangeDialog<V extends FieldValues, O extends WriteOperation>(props: Props<V, O>) {
  const { title, op, values, inputOf, onClose, children, messages = {}, refusals = {}, rules = () => ({}) } = props
  const { t } = useTranslation('operator-money')
  const form = useWriteForm({
    op,
    area: 'operator-money',
    values: { ...values, reason: '' } as V & { reason: string },
    // The operation takes a reason beside the input of the dialog, which the compiler does not follow.
    inputOf: (sent) => ({ ...inputOf(sent), reason: sent.reason.trim() }) as unknown as Input<O>,
    ...({ messages, refusals, rules } as Pick<FieldMap<V & { reason: string }>, 'messages' | 'refusals' | 'rules'>),
    onSuccess: (output) => {
      props.onDone?.(output)
      onClose()
    },
  })
  return (
    <ReasonDialog
      title={title}
      confirm={props.confirm ?? t('save')}
      area="operator-money"
      form={form}
      isOff={props.isOff ?? false}
      reason={form.field('reason') as unknown as FieldBinding<string>}
      onClose={onClose}
    >
      {children?.(form as unknown as Pick<Form<V>, 'values' | 'field' | 'change'>)}
    </ReasonDialog>
  )
}
