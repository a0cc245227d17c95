import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OperatorSettings, settings } from '#contract/areas/operator/settings.ts'
import type { BillingMode } from '#contract/entities/plan.ts'
import type * as z from 'zod/mini'
import { useWrite } from '#src/api/query.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Note } from '#src/ui/note.tsx'
import styles from './operator.module.css'
import { ReasonDialog } from './reason-dialog.tsx'

type Settings = z.output<typeof OperatorSettings>

/** Effects of a switch in the order of the list. */
const effects = ['limits', 'pages', 'bought'] as const

/** Use of plans, and the switch with its effects. */
export function BillingCard({
  settings: { billing, projects_free: free, projects_paid: paid },
}: {
  settings: Settings
}) {
  const { t } = useTranslation('operator')
  const [isOpen, setOpen] = useState(false)
  const [done, setDone] = useState<BillingMode | null>(null)
  const target: BillingMode = billing === 'off' ? 'plans' : 'off'
  const write = useWrite(settings.setBilling, {
    onSuccess: (_, { billing: mode }) => {
      setOpen(false)
      setDone(mode)
    },
  })
  const handleOpen = () => {
    write.reset()
    setDone(null)
    setOpen(true)
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
        <ReasonDialog
          title={t(`billing.${target}.question`)}
          confirm={t(`billing.${target}.switch`)}
          write={write}
          onSubmit={(reason) => write.mutate({ billing: target, reason })}
          onClose={() => setOpen(false)}
        >
          <ul className={styles.points}>
            {effects.map((name) => (
              <li key={name}>{t(`billing.${target}.effect.${name}`, { count: name === 'bought' ? paid : free })}</li>
            ))}
          </ul>
        </ReasonDialog>
      )}
    </Card>
  )
}
