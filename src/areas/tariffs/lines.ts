// Product lines as the page shows them: operations, facts of a slot, and the quantity that is bought.
import { AddOnQuote } from '#contract/areas/tariffs/plan-line.ts'
import { restream, RestreamQuote } from '#contract/areas/tariffs/restream.ts'
import { storage } from '#contract/areas/tariffs/storage.ts'
import { transcoding } from '#contract/areas/tariffs/transcoding.ts'
import type { LineName, Period } from '#contract/entities/plan.ts'
import { useTranslation } from 'react-i18next'
import type { AddOnName } from '#src/components/plan-cards/add-on-card.tsx'
import { formatNumber } from '#src/lib/format.ts'
import { useLanguage } from '#src/lib/use-language.ts'

/** A purchase as the quote panel shows and sends it. */
export interface Order {
  readonly line: LineName
  /** Title of the plan, and the plan with its chosen quantities. */
  readonly title: string
  readonly words: string
  readonly period: Period
  /** Input of `buy`, without the quoted total and the idempotency key. */
  readonly request: Readonly<Record<string, string | number | undefined>>
}

/** Operation that buys a plan of the line. The lines have the same input but for the quantities. */
const buy = {
  restream: restream.buy,
  transcoding: transcoding.buy as unknown as typeof restream.buy,
  storage: storage.buy as unknown as typeof restream.buy,
} as const

/** Returns the quote of an add-on line with the fields of a restream quote; null without a plan. */
export function quoteOf({ balance, refund, amount: _, ...quote }: AddOnQuote): RestreamQuote | null {
  const parsed = RestreamQuote.safeParse({
    ...quote,
    balance: balance.balance,
    currency: balance.currency,
    refund_current: refund.current,
    refund_after: refund.after,
  })
  return parsed.success ? parsed.data : null
}

/** Returns the operation that buys, and how it reads a quote from a refusal. */
export const purchaseOf = (line: LineName) => ({
  buy: buy[line],
  read(data: unknown): RestreamQuote | null {
    if (line === 'restream') return RestreamQuote.safeParse(data).data ?? null
    const parsed = AddOnQuote.safeParse(data)
    return parsed.success ? quoteOf(parsed.data) : null
  },
})

/** Settings of the add-on lines. The operations of both have the same names. */
export const addOns = {
  transcoding: {
    ops: transcoding,
    planKey: 'plan_transcoding_id',
    units: 'count',
    facts: ['count', 'resolution', 'fps'],
  },
  storage: {
    ops: storage as unknown as typeof transcoding,
    planKey: 'plan_storage_id',
    units: 'size',
    facts: ['size'],
  },
} as const

/** A slot of an add-on line. */
export interface AddOnSlot {
  readonly id: number
  readonly title: string
  readonly date_end: string | null
  readonly date_start?: string | undefined
  readonly prolongation: 0 | 1
  readonly count?: number
  readonly size?: number
  readonly resolution?: string | null
  readonly fps?: string
}

/** Returns the texts of a quantity and of the facts of a slot. */
export function useUnitWords(line: AddOnName) {
  const { t } = useTranslation('tariffs')
  const language = useLanguage()
  const units = (count: number): string => t(`units.${line}`, { count, value: formatNumber(count, language) })
  return {
    units,
    /** The quantity of a slot. */
    wordsOf: (slot: AddOnSlot): string => units(slot.count ?? slot.size ?? 0),
    valueOf(fact: 'count' | 'resolution' | 'fps' | 'size', slot: AddOnSlot): string {
      if (fact === 'count') return formatNumber(slot.count ?? 0, language)
      if (fact === 'size') return units(slot.size ?? 0)
      if (fact === 'fps') return t('units.fps', { value: slot.fps })
      return slot.resolution ?? t('notReported')
    },
  }
}
