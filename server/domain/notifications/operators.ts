// Notifications of the operators of the installation: what waits for their decision.
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { listOperatorIds } from '#server/domain/installation/store.ts'
import { amountText } from '#server/domain/money/decimal.ts'
import { findProjectName } from '#server/domain/projects/store.ts'
import type { KindParams, OperatorKind } from './kinds.ts'
import { notify } from './notify.ts'
import { listProjectIds } from './store.ts'

/**
 * Notifies every operator in the transaction of the fact. The settings of an operator's oldest project apply.
 * @param fact.ref identity of the fact within its kind
 */
export async function notifyOperators<K extends OperatorKind>(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  { kind, ref, params }: { readonly kind: K; readonly ref: string | number; readonly params: KindParams[K] },
): Promise<void> {
  for (const userId of await listOperatorIds(trx)) {
    const [projectId] = await listProjectIds(trx, userId)
    if (projectId !== undefined) await notify(services, trx, { kind, projectId, ref, params, userId })
  }
}

/** A case about money of a project. Amount in minor units. */
export interface MoneyCase {
  readonly kind: Exclude<OperatorKind, 'operator_job' | 'operator_backup'>
  readonly ref: string | number
  readonly projectId: number
  readonly amount: number
  readonly currency: string
}

/** Notifies every operator of a case about money. */
export async function notifyOfMoney(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  { kind, ref, projectId, amount, currency }: MoneyCase,
): Promise<void> {
  const { name = '' } = (await findProjectName(trx, projectId)) ?? {}
  const params = { project: name, amount: amountText(amount, currency) }
  await notifyOperators(services, trx, { kind, ref, params })
}
