import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type OperatorSettings, settings } from '#contract/areas/operator/settings.ts'
import { FactorDemand } from '#contract/entities/account.ts'
import { currencyCodes, currencyFields } from '#contract/entities/currencies.ts'
import { q } from '#src/api/query.ts'
import { HelpLinkLater } from '#src/components/help-link-later.tsx'
import { QueryPart } from '#src/components/query-part.tsx'
import { Note } from '#src/ui/note.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './operator.module.css'
import { type ReactNode, useState } from 'react'
import type * as z from 'zod/mini'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import { currencyName, formatNumber } from '#src/lib/format.ts'
import { moneyText, parseMoney } from '#src/lib/money-input.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Fact, FactList } from '#src/ui/fact-list.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import type { ServerLimits } from '#contract/entities/operator.ts'
import type { BillingMode } from '#contract/entities/plan.ts'

type Settings = z.output<typeof OperatorSettings>

/** Effects of a switch in the order of the list. */
const effects = ['limits', 'pages', 'bought', 'signUp'] as const

/** Use of plans, and the switch with its effects. */
function BillingCard({
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

/** Use of plans, and the registration bonus. */
export function GeneralPart() {
  const { t } = useTranslation('operator')
  const query = useQuery(q(settings.get, {}))
  return (
    <div className={styles.parts}>
      <QueryPart query={query} failed={t('general.failed')} skeleton={<Skeleton height={320} />}>
        {(data) => (
          <>
            <BillingCard settings={data} />
            {data.billing === 'plans' && data.providers.length === 0 && (
              <Note tone="warn">{t('general.noPayments')}</Note>
            )}
            {data.billing === 'off' && <LimitsCard limits={data.limits} />}
            {data.billing === 'plans' && <BonusCard settings={data} />}
            <FactorCard settings={data} />
          </>
        )}
      </QueryPart>
      <HelpLinkLater article="server/operating" />
    </div>
  )
}

/** What each project may use where plans do not apply. */
function LimitsCard({ limits }: { readonly limits: ServerLimits }) {
  const { t } = useTranslation('operator')
  const language = useLanguage()
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title={t('limits.title')}
      note={t('limits.note')}
      actions={
        <Button look="outline" onClick={() => setOpen(true)}>
          {t('limits.change')}
        </Button>
      }
    >
      <FactList>
        {limitNames.map((name) => (
          <Fact key={name} name={t(`limits.${name}`)}>
            {formatNumber(limits[name], language)}
          </Fact>
        ))}
      </FactList>
      {isOpen && <LimitsDialog limits={limits} onClose={() => setOpen(false)} />}
    </Card>
  )
}

/** Limits in the order of the list. */
const limitNames = ['channels', 'storage', 'transcoders'] as const

function LimitsDialog({ limits, onClose }: { readonly limits: ServerLimits; readonly onClose: () => void }) {
  const { t } = useTranslation('operator')
  const form = useWriteForm({
    op: settings.setLimits,
    area: 'operator',
    values: {
      channels: String(limits.channels),
      storage: String(limits.storage),
      transcoders: String(limits.transcoders),
      reason: '',
    },
    inputOf: ({ channels, storage, transcoders, reason }) => ({
      channels: numberIn(channels),
      storage: numberIn(storage),
      transcoders: numberIn(transcoders),
      reason: reason.trim(),
    }),
    mode: 'onChange',
    messages: {
      channels: t('limits.range', { min: 1, max: 1_000 }),
      storage: t('limits.range', { min: 0, max: 1_000_000 }),
      transcoders: t('limits.range', { min: 0, max: 1_000 }),
    },
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t('limits.change')}
      confirm={t('save')}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      {limitNames.map((name) => (
        <TextField key={name} label={t(`limits.${name}`)} inputMode="numeric" {...form.field(name)} />
      ))}
    </ReasonDialog>
  )
}

/** Parses a whole number; NaN for other text, also for an empty one. */
const numberIn = (text: string): number => (/^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN)

/** Users of whom the installation demands a second factor. */
function FactorCard({ settings: { second_factor: demand } }: { readonly settings: Settings }) {
  const { t } = useTranslation('operator')
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title={t('factor.title')}
      note={t(`factor.${demand}`)}
      actions={
        <Button look="outline" onClick={() => setOpen(true)}>
          {t('factor.change')}
        </Button>
      }
    >
      {isOpen && <FactorDialog demand={demand} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function FactorDialog({ demand, onClose }: { readonly demand: FactorDemand; readonly onClose: () => void }) {
  const { t } = useTranslation('operator')
  const form = useWriteForm({
    op: settings.setSecondFactor,
    area: 'operator',
    values: { second_factor: demand, reason: '' },
    inputOf: ({ second_factor, reason }) => ({ second_factor, reason: reason.trim() }),
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t('factor.change')}
      confirm={t('save')}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <SelectField
        label={t('factor.of')}
        choices={FactorDemand.options.map((value) => ({ value, label: t(`factor.choice.${value}`) }))}
        {...form.field('second_factor')}
      />
    </ReasonDialog>
  )
}

/** Bonus of a new personal project in each currency. */
function BonusCard({ settings: known }: { settings: z.output<typeof OperatorSettings> }) {
  const { t } = useTranslation('operator')
  const language = useLanguage()
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title={t('bonus.title')}
      note={t('bonus.text')}
      actions={
        <Button look="outline" onClick={() => setOpen(true)}>
          {t('bonus.change')}
        </Button>
      }
    >
      <FactList>
        {currencyCodes.map((currency) => (
          <Fact key={currency} name={currencyName(currency, language)}>
            <MoneyAmount amountMinor={known[`bonus_${currency}`]} currency={currency} />
          </Fact>
        ))}
      </FactList>
      {isOpen && <BonusDialog known={known} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function BonusDialog({ known, onClose }: { known: z.output<typeof OperatorSettings>; onClose: () => void }) {
  const { t } = useTranslation('operator')
  const language = useLanguage()
  const form = useWriteForm({
    op: settings.setBonus,
    area: 'operator',
    values: { ...currencyFields('bonus', (currency) => moneyText(known[`bonus_${currency}`])), reason: '' },
    inputOf: ({ reason, ...texts }) => ({
      ...currencyFields('bonus', (currency) => parseMoney(texts[`bonus_${currency}`]) ?? Number.NaN),
      reason: reason.trim(),
    }),
    mode: 'onChange',
    messages: currencyFields('bonus', () => t('amount.invalid')),
    onSuccess: onClose,
  })
  return (
    <ReasonDialog
      title={t('bonus.change')}
      confirm={t('save')}
      form={form}
      reason={form.field('reason')}
      onClose={onClose}
    >
      <div className={styles.columns}>
        {currencyCodes.map((currency) => (
          <TextField
            key={currency}
            label={currencyName(currency, language)}
            inputMode="decimal"
            {...form.field(`bonus_${currency}`)}
          />
        ))}
      </div>
    </ReasonDialog>
  )
}
