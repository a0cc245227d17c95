import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { transfers } from '#contract/areas/billing/transfers.ts'
import { type ProjectInfo, projects } from '#contract/areas/projects/projects.ts'
import { roleCan } from '#contract/entities/roles.ts'
import { q } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { formatMoney } from '#src/lib/format.ts'
import { moneyText, parseMoney } from '#src/lib/money-input.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { randomId } from '#src/session/wire.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DialogForm } from '#src/ui/dialog-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './billing.module.css'

interface Props {
  readonly project: ProjectInfo['data']
}

/** Moves balance to another project of the owner; absent for an owner of one project. */
export function TransferCard({ project }: Props) {
  const { t } = useTranslation('transfer')
  const list = useQuery({ ...q(projects.list, { limit: 100 }), staleTime: 60_000 })
  const [isOpen, setOpen] = useState(false)
  const targets = (list.data?.results ?? [])
    .filter((row) => row.project_id !== project.project_id && roleCan(row.access_type, 'owner'))
    .map((row) => ({ value: String(row.project_id), label: [row.project.name, row.project.fename].join(' ').trim() }))
  const available = project.balance_payment + project.balance_profit
  if (targets.length === 0) return null
  return (
    <Card
      title={t('title')}
      note={t('note')}
      actions={
        <Button look="outline" isOff={available === 0} onClick={() => setOpen(true)}>
          {t('move')}
        </Button>
      }
    >
      {available === 0 && <p className={styles.quiet}>{t('nothing')}</p>}
      {isOpen && (
        <TransferDialog project={project} available={available} targets={targets} onClose={() => setOpen(false)} />
      )}
    </Card>
  )
}

interface DialogProps extends Props {
  /** Minor units. */
  readonly available: number
  readonly targets: readonly { readonly value: string; readonly label: string }[]
  readonly onClose: () => void
}

function TransferDialog({ project, available, targets, onClose }: DialogProps) {
  const { t } = useTranslation('transfer')
  const language = useLanguage()
  const why = useFailureText('transfer')
  // A repeated request after a lost response moves the amount once.
  const [key] = useState(randomId)
  const limit = t('limit', { max: formatMoney(available, project.currency, language) })
  const isWrong = (text: string) => {
    const amount = parseMoney(text)
    return amount === null || amount < 1 || amount > available
  }
  const form = useWriteForm({
    op: transfers.move,
    area: 'transfer',
    mode: 'onChange',
    values: { target: targets[0]?.value ?? '', amount: moneyText(available) },
    inputOf: (values) => {
      const amount = parseMoney(values.amount) ?? 0
      return {
        project_id: project.project_id,
        to_project_id: Number(values.target),
        amount,
        idempotency_key: `${key}-${values.target}-${amount}`,
      }
    },
    wireNames: { to_project_id: 'target' },
    rules: (values) => ({ amount: isWrong(values.amount) ? limit : undefined }),
    onSuccess: onClose,
  })
  return (
    <Dialog title={t('title')} onClose={() => form.isBusy || onClose()}>
      <DialogForm
        problem={form.problem && why(form.problem)}
        cancel={t('cancel')}
        submit={t('confirm')}
        isBusy={form.isBusy}
        isOff={isWrong(form.values.amount)}
        onSubmit={form.submit}
        onClose={onClose}
      >
        <SelectField label={t('target')} choices={targets} {...form.field('target')} />
        <TextField label={t('amount')} inputMode="decimal" hint={limit} {...form.field('amount')} />
      </DialogForm>
    </Dialog>
  )
}
