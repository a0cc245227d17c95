import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type PromoCode, promos } from '#contract/areas/operator/promos.ts'
import { call } from '#src/api/call.ts'
import { q } from '#src/api/query.ts'
import type { Columns } from './list-export.tsx'
import { OperatorList } from './operator-list.tsx'
import { usePageView } from '#src/components/use-list-view.ts'
import { windowOf } from '#src/lib/page-params.ts'
import { currencyName, formatDate, formatMoney, formatPercent } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Row } from '#src/ui/row-list.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import styles from './operator.module.css'
import { type Catalogue, plans } from '#contract/areas/operator/plans.ts'
import { currencyCodes, currencyFields } from '#contract/entities/currencies.ts'
import { promoTypes } from '#contract/entities/money.ts'
import { type LineName, lineNames, periodNames } from '#contract/entities/plan.ts'
import { parseMoney } from '#src/lib/money-input.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'

/** An optional amount: null for an empty field, not a number for an invalid one. */
const amountOf = (text: string): number | null => (text.trim() === '' ? null : (parseMoney(text) ?? Number.NaN))

const empty = {
  code: '',
  name: '',
  type: 'top_up' as string,
  ...currencyFields('amount', () => ''),
  percent: '',
  plan_id: '',
  period: 'month' as string,
  channels: '',
  bitrate: '',
  count: '',
  size: '',
  uses_max: '',
  date_until: '',
}
type Values = typeof empty
type Quantity = 'channels' | 'bitrate' | 'count' | 'size'

/** Creates a promo code: a credit, or a plan with its quantities. */
function PromoDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  const catalogue = useQuery(q(plans.list, {})).data
  const choices = (key: string, names: readonly string[]) =>
    names.map((value) => ({ value, label: t(`${key}.${value}`) }))
  return (
    <ChangeDialog
      title={t('promos.add')}
      op={promos.create}
      values={empty}
      inputOf={(values) => inputOf(values, catalogue)}
      messages={{
        code: t('promos.codeHint'),
        name: t('promos.nameMissing'),
        ...currencyFields('amount', () => t('amountInvalid')),
        percent: t('promos.percentInvalid'),
        plan_id: t('promos.choosePlan'),
        channels: t('promos.usesInvalid'),
        bitrate: t('promos.usesInvalid'),
        count: t('promos.usesInvalid'),
        size: t('promos.usesInvalid'),
        uses_max: t('promos.usesInvalid'),
      }}
      onClose={onClose}
    >
      {({ field, values }) => (
        <div className={styles.columns}>
          <TextField label={t('promos.code')} hint={t('promos.codeHint')} {...field('code')} />
          <TextField label={t('promos.name')} hint={t('promos.nameHint')} {...field('name')} />
          <SelectField label={t('promos.type')} choices={choices('promos.types', promoTypes)} {...field('type')} />
          {values.type === 'percent' ? (
            <TextField
              label={t('promos.percent')}
              hint={t('promos.percentHint')}
              inputMode="numeric"
              {...field('percent')}
            />
          ) : hasAmounts(values.type) ? (
            currencyCodes.map((currency) => (
              <TextField
                key={currency}
                label={currencyName(currency, language)}
                hint={values.type === 'fixed' ? t('promos.fixedHint') : undefined}
                inputMode="decimal"
                {...field(`amount_${currency}`)}
              />
            ))
          ) : (
            <>
              <SelectField
                label={t('promos.planField')}
                choices={[{ value: '', label: t('promos.choosePlan') }, ...plansOf(catalogue, values.type)]}
                {...field('plan_id')}
              />
              <SelectField
                label={t('promos.period')}
                choices={choices('promos.periods', periodNames)}
                {...field('period')}
              />
              {quantitiesOf(catalogue, values).map(({ name, min, max, step }) => (
                <TextField
                  key={name}
                  label={t(`promos.quantity.${name}`)}
                  hint={t('promos.quantityHint', { min, max, step })}
                  inputMode="numeric"
                  {...field(name)}
                />
              ))}
            </>
          )}
          <TextField
            label={t('promos.usesMax')}
            hint={t('promos.usesHint')}
            inputMode="numeric"
            {...field('uses_max')}
          />
          <TextField label={t('promos.untilField')} type="date" {...field('date_until')} />
        </div>
      )}
    </ChangeDialog>
  )
}

function inputOf(values: Values, catalogue: Catalogue | undefined) {
  // An empty quantity is the smallest one.
  const quantities = quantitiesOf(catalogue, values).flatMap(({ name }) =>
    values[name].trim() === '' ? [] : [[name, Number(values[name])] as const],
  )
  return {
    code: values.code.trim(),
    name: values.name.trim(),
    type: promoTypes.find((name) => name === values.type) ?? ('top_up' as const),
    ...(hasAmounts(values.type) && currencyFields('amount', (currency) => amountOf(values[`amount_${currency}`]))),
    ...(values.type === 'percent' && { percent: Number(values.percent.trim() || Number.NaN) }),
    ...(isLine(values.type) && {
      plan_id: Number(values.plan_id),
      period: periodNames.find((name) => name === values.period) ?? ('month' as const),
      ...Object.fromEntries(quantities),
    }),
    uses_max: values.uses_max.trim() === '' ? null : Number(values.uses_max),
    date_until: values.date_until === '' ? null : new Date(`${values.date_until}T23:59:59`).toISOString(),
  }
}

const isLine = (type: string): type is LineName => lineNames.some((line) => line === type)
/** Returns whether codes of a type have an amount in each currency. */
const hasAmounts = (type: string): boolean => type === 'top_up' || type === 'fixed'

/** Plans of a line that are for sale, unlisted ones too, as choices. */
const plansOf = (catalogue: Catalogue | undefined, type: string) =>
  (isLine(type) ? (catalogue?.[type] ?? []) : [])
    .filter((plan) => plan.active && !('type' in plan && plan.type === 'free'))
    .map(({ id, title }) => ({ value: String(id), label: title }))

interface Range {
  readonly name: Quantity
  readonly min: number
  readonly max: number
  readonly step: number
}

/** Quantities that the chosen plan is sold with, with their ranges. */
function quantitiesOf(catalogue: Catalogue | undefined, { type, plan_id }: Values): readonly Range[] {
  const isChosen = ({ id }: { readonly id: number }) => String(id) === plan_id
  if (!catalogue) return []
  if (type === 'transcoding') {
    const plan = catalogue.transcoding.find(isChosen)
    return plan ? [{ name: 'count', min: 1, max: plan.count_max, step: 1 }] : []
  }
  if (type === 'storage') {
    const plan = catalogue.storage.find(isChosen)
    return plan ? [{ name: 'size', min: plan.size_min, max: plan.size_max, step: plan.size_step }] : []
  }
  const plan = catalogue.restream.find(isChosen)
  if (plan?.type !== 'paid_flex') return []
  const { channel_min, channel_max, channel_step, bitrate_min, bitrate_max, bitrate_step } = plan
  return [
    { name: 'channels', min: channel_min ?? 1, max: channel_max, step: channel_step ?? 1 },
    { name: 'bitrate', min: bitrate_min ?? bitrate_max, max: bitrate_max, step: bitrate_step ?? 1 },
  ]
}

const size = 50

/** Promo codes: list with uses, new codes, ending a code. */
export function PromosPart() {
  const { t } = useTranslation('operator-money')
  const { view, to } = usePageView()
  const list = useQuery({ ...q(promos.list, windowOf(view.page, size)), placeholderData: keepPreviousData })
  const [isNew, setNew] = useState(false)
  const [ending, setEnding] = useState<PromoCode | null>(null)
  return (
    <div className={styles.parts}>
      <Card
        title={t('promos.title')}
        note={t('promos.note')}
        actions={<Button onClick={() => setNew(true)}>{t('promos.add')}</Button>}
      >
        <OperatorList
          query={list}
          label={t('promos.title')}
          failed={t('failed')}
          none={<p className={styles.quiet}>{t('promos.none')}</p>}
          height={160}
          page={view.page}
          size={size}
          to={to}
          file={{
            name: 'promo-codes',
            read: (page, sessionId) => call(promos.list, page, { sessionId }),
            keyOf: ({ promo_id }) => promo_id,
            columns,
          }}
        >
          {(promo) => <PromoRow promo={promo} onEnd={() => setEnding(promo)} />}
        </OperatorList>
      </Card>
      {isNew && <PromoDialog onClose={() => setNew(false)} />}
      {ending && <EndDialog promo={ending} onClose={() => setEnding(null)} />}
    </div>
  )
}

const columns: Columns<PromoCode> = {
  code: ({ code }) => code,
  name: ({ name }) => name,
  type: ({ type }) => type,
  ...Object.fromEntries(
    currencyCodes.map((currency) => [
      `amount_${currency}`,
      (promo: PromoCode) => {
        const amount = promo[`amount_${currency}`]
        return amount === null ? null : amount / 100
      },
    ]),
  ),
  percent: ({ percent }) => percent,
  plan: ({ plan }) => plan && plan.title,
  period: ({ plan }) => plan && plan.period,
  uses: ({ uses }) => uses,
  uses_max: ({ uses_max }) => uses_max,
  date_create: ({ date_create }) => date_create,
  date_until: ({ date_until }) => date_until,
  date_end: ({ date_end }) => date_end,
}

function PromoRow({ promo, onEnd }: { readonly promo: PromoCode; readonly onEnd: () => void }) {
  const { t } = useTranslation('operator-money')
  const language = useLanguage()
  const amounts = currencyCodes.flatMap((currency) => {
    const amount = promo[`amount_${currency}`]
    return amount === null ? [] : [formatMoney(amount, currency, language)]
  })
  const amount = promo.percent === null ? amounts.join(' / ') : formatPercent(promo.percent, language)
  const effect = promo.plan
    ? t(`promos.plan.${promo.plan.period}`, { plan: promo.plan.title })
    : promo.type === 'top_up'
      ? amount
      : t('promos.off', { amount })
  const uses = promo.uses_max === null ? String(promo.uses) : `${promo.uses} / ${promo.uses_max}`
  const facts = [
    promo.name,
    effect,
    t('promos.uses', { uses }),
    ...(promo.date_until ? [t('promos.until', { date: formatDate(promo.date_until, language) })] : []),
  ]
  return (
    <Row
      title={<code>{promo.code}</code>}
      about={facts.join(' · ')}
      actions={
        promo.date_end ? (
          <Badge>{t('promos.ended')}</Badge>
        ) : (
          <Button look="outline" onClick={onEnd}>
            {t('promos.end')}
          </Button>
        )
      }
    />
  )
}

function EndDialog({ promo, onClose }: { readonly promo: PromoCode; readonly onClose: () => void }) {
  const { t } = useTranslation('operator-money')
  return (
    <ChangeDialog
      title={t('promos.endTitle', { code: promo.code })}
      confirm={t('promos.end')}
      op={promos.end}
      values={{}}
      inputOf={() => ({ promo_id: promo.promo_id })}
      onClose={onClose}
    >
      {() => <p>{t('promos.endText')}</p>}
    </ChangeDialog>
  )
}
