import { type CSSProperties, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RestreamOffer } from '#contract/areas/tariffs/restream.ts'
import type { RestreamSlots } from '#contract/entities/plan.ts'
import { MoneyAmount } from '#src/components/money-amount.tsx'
import styles from '#src/components/plan-cards/catalogue.module.css'
import { isForSale, settingsOf } from '#src/components/plan-cards/choice.ts'
import { featureRows, inOrder } from '#src/components/plan-cards/feature-rows.ts'
import { FeatureName } from '#src/components/plan-cards/feature-value.tsx'
import offer from '#src/components/plan-cards/offer.module.css'
import { PeriodSwitch } from '#src/components/plan-cards/period-switch.tsx'
import { PlanColumn } from '#src/components/plan-cards/plan-column.tsx'
import type { Known } from '#src/areas/tariffs/queries.ts'
import quoteStyles from '#src/areas/tariffs/quote/quote.module.css'
import { QuotePanel } from '#src/areas/tariffs/quote/quote-panel.tsx'
import { useQuoteWords } from '#src/areas/tariffs/quote/quote-words.ts'
import { useChoice, useQuote } from '#src/areas/tariffs/quote/use-choice.ts'

interface Props {
  readonly offers: readonly RestreamOffer[]
  readonly slots: RestreamSlots | undefined
  readonly known: Known
  /** Receives a sentence about a purchase; null when the user looks at another plan. */
  readonly onBought: (sentence: string | null) => void
}

/** Available plans side by side, and the quote of the selected one. */
export function Catalogue({ offers, slots, known, onBought }: Props) {
  const { t } = useTranslation('tariffs')
  const { choice, settled, isMoving, choose, adjust } = useChoice(known.discount?.sold)
  const { planWords } = useQuoteWords()
  const [isWhole, setWhole] = useState(false)
  const plans = inOrder(offers)
  const rows = featureRows(plans)
  const chosen = plans.find((plan) => plan.plan_restream_id === settled.planId && isForSale(plan))
  const settings = chosen && settingsOf(chosen, settled, slots?.current)
  const quote = useQuote(known.projectId, chosen, settled.period, settings, settled.code)
  const currency = known.currency ?? quote.data?.currency ?? null
  const nothing = { planId: null, channels: null, bitrate: null, code: null }

  return (
    <>
      <p className={offer.hint}>{t('quote.hint')}</p>
      <div
        className={styles.plans}
        data-whole={isWhole || undefined}
        style={{ '--rows': rows.length, '--plans': plans.length } as CSSProperties}
      >
        <div className={styles.corner}>
          <PeriodSwitch period={choice.period} discount={known.discount} onChange={(period) => choose({ period })} />
          {known.balance !== null && (
            <p className={styles.balance}>
              {t('balance')} <MoneyAmount amountMinor={known.balance} currency={currency} />
            </p>
          )}
        </div>
        <div className={styles.labels} aria-hidden>
          {rows.map(({ name }) => (
            <span key={name} className={styles.label}>
              <FeatureName name={name} />
            </span>
          ))}
        </div>
        {plans.map((plan, at) => (
          <PlanColumn
            key={plan.plan_restream_id}
            plan={plan}
            cells={rows.flatMap(({ cells }) => cells[at] ?? [])}
            period={choice.period}
            settings={settingsOf(plan, choice, slots?.current)}
            isChosen={plan.plan_restream_id === choice.planId}
            quoted={plan === chosen && !isMoving && !quote.isPlaceholderData ? quote.data : undefined}
            currency={currency}
            onChoose={() => {
              onBought(null)
              choose({ planId: plan.plan_restream_id })
            }}
            onAdjust={(change) => {
              onBought(null)
              adjust({ ...change, planId: plan.plan_restream_id })
            }}
          />
        ))}
        <button type="button" className={styles.whole} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {t(isWhole ? 'catalogue.fewer' : 'catalogue.all')}
        </button>
      </div>
      <div className={quoteStyles.dock} aria-live="polite">
        {chosen && settings && (
          <QuotePanel
            order={{
              line: 'restream',
              title: chosen.title,
              words: planWords(chosen, settings),
              period: settled.period,
              request: {
                project_id: known.projectId,
                plan_restream_id: chosen.plan_restream_id,
                period: settled.period,
                count_channel: settings.channels,
                bitrate: settings.bitrate,
                promo_code: settled.code ?? undefined,
              },
            }}
            quote={quote}
            isMoving={isMoving}
            onCode={(code) => choose({ code })}
            known={known}
            onBought={(sentence) => {
              choose(nothing)
              onBought(sentence)
            }}
          />
        )}
      </div>
    </>
  )
}

const usualPlans = ['free', 'start', 'pro', 'business', 'flexible']
const usualRows = 13

/** Placeholder of the catalogue with its usual number of columns and rows. */
export function CatalogueSkeleton() {
  const style = { '--rows': usualRows, '--plans': usualPlans.length } as CSSProperties
  return (
    <div aria-hidden>
      <div className={styles.plans} style={style} data-waiting>
        {usualPlans.map((plan) => (
          <div key={plan} className={styles.plan} />
        ))}
      </div>
      <div className={quoteStyles.panel} />
    </div>
  )
}
