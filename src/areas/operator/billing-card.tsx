import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OperatorSettings, settings } from '#contract/areas/operator/settings.ts'
import type { BillingMode } from '#contract/entities/plan.ts'
import type * as z from 'zod/mini'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import styles from './operator.module.css'
import { ReasonDialog } from './reason-dialog.tsx'

type Settings = z.output<typeof OperatorSettings>

/** Effects of a switch in the order of the list. */
const effects = ['limits', 'pages', 'bought', 'signUp'] as const

/** Use of plans, and the switch with its effects. */
export function BillingCard({
  settings: { billing, projects_free: free, plans_running: running, sign_up: signUp },
}: {
  settings: Settings
}) {
  const { t } = useTranslation('operator')
  const [isOpen, setOpen] = useState(false)
  const [done, setDone] = useState<BillingMode | null>(null)
  const target: BillingMode = billing === 'off' ? 'plans' : 'off'
  const handleOpen = () => {
    setDone(null)
    setOpen(true)
  }
  const handleDone = () => {
    setOpen(false)
    setDone(target)
  }
  return (
    <Card
      title={t(`billing.${billing}.title`)}
      note={t(`billing.${billing}.text`)}
      actions={
        <Button look={billing === 'off' ? 'filled' : 'outline'} onClick={handleOpen}>
          {t(`billing.${target}.switch`)}
        </Button>
      }
    >
      <Note tone="ok">{done && t(`billing.${done}.done`)}</Note>
      {isOpen && (
        <SwitchDialog target={target} onDone={handleDone} onClose={() => setOpen(false)}>
          <ul className={styles.points}>
            {effects
              .filter((name) => name !== 'signUp' || signUp === 'auto')
              .map((name) => (
                <li key={name}>
                  {t(`billing.${target}.effect.${name}`, { count: name === 'bought' ? running : free })}
                </li>
              ))}
          </ul>
        </SwitchDialog>
      )}
    </Card>
  )
}

interface SwitchProps {
  readonly target: BillingMode
  readonly children: ReactNode
  readonly onDone: () => void
  readonly onClose: () => void
}

function SwitchDialog({ target, children, onDone, onClose }: SwitchProps) {
  const { t } = useTranslation('operator')
  const form = useWriteForm({
    op: settings.setBilling,
    area: 'operator',
    values: { reason: '' },
    inputOf: ({ reason }) => ({ billing: target, reason: reason.trim() }),
    onSuccess: onDone,
  })
  return (
    <ReasonDialog
      title={t(`billing.${target}.question`)}
      confirm={t(`billing.${target}.switch`)}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      {children}
    </ReasonDialog>
  )
}
