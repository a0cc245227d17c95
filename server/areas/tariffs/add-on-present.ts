// Slots and quotes of transcoding and storage as the wire shows them (contract/areas/tariffs/plan-line.ts).
import type * as z from 'zod/mini'
import type { AddOnQuote } from '#contract/areas/tariffs/plan-line.ts'
import type { Language } from '#contract/core/wire.ts'
import type { StorageSlot, StorageSlots, TranscodingSlot, TranscodingSlots } from '#contract/entities/add-on-plans.ts'
import type { LineName, Period } from '#contract/entities/plan.ts'
import type { Context, Services } from '#server/core/context.ts'
import { balanceTypes, sumOf } from '#server/domain/money/balance.ts'
import { quoteWithCode } from '#server/domain/billing/promos/promos.ts'
import type { StorageAllowance, TranscodingAllowance } from '#server/domain/tariffs/add-on-rules.ts'
import { getBalance } from '#server/domain/money/ledger.ts'
import { lineOf } from '#server/domain/tariffs/lines.ts'
import { findRenewal } from '#server/domain/tariffs/subscriptions-store.ts'
import { getCurrency } from '#server/domain/money/store.ts'
import { type PurchaseRequest, type Quote, readState } from '#server/domain/tariffs/subscriptions.ts'
import { titleIn } from '#server/domain/tariffs/store.ts'
import type { Slots, Sold, Term } from '#server/domain/tariffs/subscriptions-slots.ts'
import { dueOf, notificationOf, quoteFields } from './restream-present.ts'

type Source = Pick<Services, 'db' | 'clock'> & { readonly language: Language }

/** Title of the plan of every project while plans do not apply. */
const everythingTitle = 'Everything included'

/** Returns the slots of the transcoding line. */
export async function transcodingSlots(source: Source, projectId: number): Promise<z.output<typeof TranscodingSlots>> {
  const slots = await readSlots(source, projectId, 'transcoding')
  const own = ({ count, resolution, fps }: Term<TranscodingAllowance>) =>
    ({ count, resolution, fps: fps > 30 ? '60' : '30' }) as const
  return await presentThree<TranscodingAllowance, TranscodingSlot>(source, slots, own)
}

/** Returns the slots of the storage line. Without a bought plan a slot is null. */
export async function storageSlots(source: Source, projectId: number): Promise<z.output<typeof StorageSlots>> {
  const slots = await readSlots(source, projectId, 'storage')
  const own = ({ size, periods }: Term<StorageAllowance>) => ({ size, period: periods.at(-1)?.period ?? null })
  return await presentThree<StorageAllowance, StorageSlot>(source, slots, own)
}

interface Read<A extends Sold> {
  readonly line: LineName
  readonly slots: Slots<A>
  readonly isRenewed: boolean
}

async function readSlots<L extends 'transcoding' | 'storage'>({ db, clock }: Source, projectId: number, line: L) {
  const { slots } = await readState(db, clock, projectId, line)
  return { line, slots, isRenewed: await findRenewal(db, projectId, line) }
}

async function presentThree<A extends Sold, S>(
  { db, language }: Source,
  { line, slots, isRenewed }: Read<A>,
  own: (term: Term<A>) => object,
) {
  const titleOf = async ({ planId }: Sold) =>
    planId === 0 ? everythingTitle : titleIn(await lineOf(line).plan(db, planId), language)
  // Storage has no plan with id 0.
  const slotOf = async (term: Term<A> | null): Promise<S | null> =>
    term === null || (line === 'storage' && term.id === null)
      ? null
      : ({
          id: term.planId,
          ...own(term),
          title: await titleOf(term),
          date_end: term.end,
          prolongation: isRenewed && term.id !== null && term !== slots.before ? 1 : 0,
        } as S)
  const next = await slotOf(slots.next)
  return {
    before: await slotOf(slots.before),
    current: await slotOf(slots.current),
    next: next && { ...next, date_start: slots.next?.start ?? undefined },
  }
}

/** Returns the quote of a purchase; without a plan the balance alone. */
export async function quoteAddOn(
  ctx: Context<'viewer'>,
  {
    planId,
    period = 'month',
    ...rest
  }: Omit<PurchaseRequest, 'planId' | 'period'> & { planId: number | undefined; period: Period | undefined },
): Promise<AddOnQuote> {
  const { db, language } = ctx
  if (planId !== undefined) {
    return presentAddOnQuote(await quoteWithCode(ctx, ctx.user.id, { ...rest, planId, period }), language)
  }
  const held = await getBalance(db, rest.projectId)
  const currency = await getCurrency(db, rest.projectId)
  return { amount: 0, balance: balanceForPay({ held, currency }), refund: { current: 0, after: 0 } }
}

/** Returns a quote as `check` shows it. `amount`: the price less the refunds. */
export function presentAddOnQuote(quote: Quote, language: Language): AddOnQuote {
  const { decision, setting } = quote
  const { due } = dueOf(quote)
  const units = 'count' in setting ? setting.count : 'size' in setting ? setting.size : undefined
  return {
    amount: due,
    balance: balanceForPay(quote),
    refund: { current: sumOf(decision.refundCurrent), after: sumOf(decision.refundNext) },
    ...quoteFields(quote, language, true),
    ...notificationOf(quote, language),
    ...(typeof units === 'number' && { units }),
  }
}

const balanceForPay = ({ held, currency }: Pick<Quote, 'held' | 'currency'>) => ({
  balance: sumOf(held),
  currency,
  balances_allow: [...balanceTypes],
  balances_values: { ...held },
})
