import { type CSSProperties, useMemo, useState } from 'react'
import { I18nextProvider, useTranslation } from 'react-i18next'
import { languages } from '#contract/core/codes.ts'
import type { RestreamOffer } from '#contract/areas/tariffs/restream.ts'
import { type Currency, currencyCodes } from '#contract/entities/currencies.ts'
import { byPeriod, type Discount, type LineName, type Period, periodPrice } from '#contract/entities/plan.ts'
import { restreamFeatures } from '#contract/entities/plan-features.ts'
import { AddOnCard, type AddOnPlan } from '#src/components/plan-cards/add-on-card.tsx'
import catalogue from '#src/components/plan-cards/catalogue.module.css'
import { rangeOf, type Settings, snap } from '#src/components/plan-cards/choice.ts'
import { featureRows } from '#src/components/plan-cards/feature-rows.ts'
import { FeatureName } from '#src/components/plan-cards/feature-value.tsx'
import { PeriodSwitch } from '#src/components/plan-cards/period-switch.tsx'
import { PlanColumn } from '#src/components/plan-cards/plan-column.tsx'
import { currencyName } from '#src/lib/format.ts'
import { intlTag } from '#src/lib/i18n.ts'
import { useLanguage } from '#src/lib/use-language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import styles from './operator.module.css'

/** Values of a plan by wire name; undefined for a text that is not valid yet. */
export type PlanValues = Readonly<Record<string, unknown>>

interface Props {
  readonly line: LineName
  readonly values: PlanValues
  readonly discount: Discount
  /** Recording space that every plan has at least, GB. */
  readonly recordLimit: number
}

/** A plan as the card that customers see, in each language and currency. */
export function PlanPreview(props: Props) {
  const { i18n, t } = useTranslation('operator')
  const own = useLanguage()
  const [language, setLanguage] = useState(own)
  const [currency, setCurrency] = useState<Currency>(currencyCodes[0])
  const translated = useMemo(() => i18n.cloneInstance({ lng: language }), [i18n, language])
  return (
    <section className={styles.preview} aria-label={t('preview.title')}>
      <h3>{t('preview.title')}</h3>
      <div className={styles.columns}>
        <SelectField
          label={t('preview.language')}
          value={language}
          choices={languages.map((value) => ({ value, label: t(`common:language.${value}`) }))}
          onChange={setLanguage}
        />
        <SelectField
          label={t('preview.currency')}
          value={currency}
          choices={currencyCodes.map((value) => ({ value, label: currencyName(value, own) }))}
          onChange={setCurrency}
        />
      </div>
      {typeof props.values[`price_${currency}`] !== 'number' && <p className={styles.quiet}>{t('preview.noPrice')}</p>}
      <I18nextProvider i18n={translated}>
        <div lang={intlTag[language]}>
          <Card {...props} title={titleIn(props.values, language)} currency={currency} />
        </div>
      </I18nextProvider>
    </section>
  )
}

function titleIn(values: PlanValues, language: string): string {
  const title = values[`title_${language}`] ?? values['title']
  return typeof title === 'string' ? title : ''
}

interface CardProps extends Props {
  readonly title: string
  readonly currency: Currency
}

function Card({ line, discount, currency, ...given }: CardProps) {
  const { t } = useTranslation('operator')
  const rest = { ...given, title: given.title || t('preview.noName') }
  const [period, setPeriod] = useState<Period>('month')
  const [settings, setSettings] = useState<Settings & { readonly units?: number }>({})
  const [isChosen, setChosen] = useState(false)
  const choose = () => setChosen(!isChosen)
  if (line !== 'restream') {
    const plan = addOnOf(line, rest.title, rest.values, currency)
    return (
      <div className={styles.parts}>
        <PeriodSwitch period={period} discount={discount} onChange={setPeriod} />
        <AddOnCard
          {...{ line, plan, period, discount, currency, isChosen }}
          quantity={snap(settings.units ?? plan.range.min, plan.range)}
          isCurrent={false}
          onChoose={choose}
          onAdjust={(units) => setSettings({ units })}
        />
      </div>
    )
  }
  const plan = offerOf(rest, discount, currency)
  const rows = featureRows([plan])
  const settingOf = (name: 'channels' | 'bitrate') => {
    const range = rangeOf(plan, name)
    return range ? { [name]: snap(settings[name] ?? range.min, range) } : {}
  }
  return (
    <div className={catalogue.plans} data-whole style={{ '--rows': rows.length, '--plans': 1 } as CSSProperties}>
      <div className={catalogue.corner}>
        <PeriodSwitch period={period} discount={discount} onChange={setPeriod} />
      </div>
      <div className={catalogue.labels} aria-hidden>
        {rows.map(({ name }) => (
          <span key={name} className={catalogue.label}>
            <FeatureName name={name} />
          </span>
        ))}
      </div>
      <PlanColumn
        {...{ plan, period, currency, isChosen }}
        cells={rows.flatMap(({ cells }) => cells)}
        settings={{ ...settingOf('channels'), ...settingOf('bitrate') }}
        quoted={undefined}
        onChoose={choose}
        onAdjust={setSettings}
      />
    </div>
  )
}

const number = (value: unknown): number => (typeof value === 'number' ? value : 0)
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** Returns a restream plan as the catalogue of a project has it. */
function offerOf(
  { values, title, recordLimit }: Pick<CardProps, 'values' | 'title' | 'recordLimit'>,
  discount: Discount,
  currency: Currency,
): RestreamOffer {
  const monthly = number(values[`price_${currency}`])
  const valueOf = (field: string) =>
    field === 'video_storage' ? Math.max(recordLimit, number(values[field])) : (values[field] as RestreamValue)
  return {
    plan_restream_id: 0,
    title,
    active: true,
    count_channel_min: numberOrNull(values['channel_min']),
    count_channel_max: numberOrNull(values['channel_max']),
    count_channel_step: numberOrNull(values['channel_step']),
    type: values['type'] as RestreamOffer['type'],
    bitrate_min: numberOrNull(values['bitrate_min']),
    bitrate_max: numberOrNull(values['bitrate_max']),
    bitrate_step: numberOrNull(values['bitrate_step']),
    index: 0,
    price: byPeriod((period) => periodPrice(monthly, period, discount[period])),
    status: 'upgrade',
    feature: restreamFeatures.map((feature, index) => ({
      name: feature.name,
      type: feature.kind === 'flag' ? 'boolean' : 'number',
      value: valueOf(feature.field) ?? null,
      index,
      ...('unit' in feature && { unit: feature.unit }),
    })),
    support_custom_channel: values['support_custom_channel'] === true,
    custom_video: 0,
    own_tariff: {},
  }
}

type RestreamValue = RestreamOffer['feature'][number]['value'] | undefined

function addOnOf(
  line: Exclude<LineName, 'restream'>,
  title: string,
  values: PlanValues,
  currency: Currency,
): AddOnPlan {
  const isFree = values['type'] === 'free'
  const common = { id: 0, title, isFree, isForSale: !isFree, price: numberOrNull(values[`price_${currency}`]) }
  if (line === 'transcoding') {
    const { resolution, fps } = values as { readonly resolution: string; readonly fps: string }
    return { ...common, resolution, fps, range: { min: 1, max: number(values['count_max']), step: 1 } }
  }
  const [min, max, step] = [number(values['size_min']), number(values['size_max']), number(values['size_step']) || 1]
  return { ...common, range: { min, max, step } }
}
