// Saved payment methods: their tokens are encrypted in the database.
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { NotFoundError, RuleError } from '#server/core/errors.ts'
import { derivedKey, keyedHash, seal, tryUnseal } from '#server/core/secrets.ts'
import type { Trx } from '#server/db/open.ts'
import { projectTransaction } from '#server/db/transaction.ts'
import { findMethod, listMethods, type MethodRow, removeMethod, updateDefaultMethod, upsertMethod } from './store.ts'
import type { PaymentRow, ProviderMethod } from '#server/domain/billing/providers/provider.ts'

type KeyServices = Pick<Services, 'config'>

const keyOf = ({ config }: KeyServices) => derivedKey(config.secret, 'payment method')

/** Encrypts a secret of a payment: the token of a method, or the address where the customer pays. */
export const sealPay = (services: KeyServices, text: string): string => seal(keyOf(services), text)

/** Decrypts it. @throws RuleError `PaymentUnreadable` when `SECRET` has changed since */
export function unsealPay(services: KeyServices, sealed: string): string {
  const text = tryUnseal(keyOf(services), sealed)
  if (text !== null) return text
  throw new RuleError('PaymentUnreadable')
}

/** Saves the method of a settled payment, once. The first method of a project becomes its default. */
export async function saveMethod(
  services: Pick<Services, 'config' | 'clock'>,
  trx: Trx,
  payment: Pick<PaymentRow, 'project_id' | 'provider'>,
  method: ProviderMethod,
): Promise<void> {
  await upsertMethod(trx, {
    project_id: payment.project_id,
    provider: payment.provider,
    token_sealed: sealPay(services, method.token),
    token_hash: keyedHash(keyOf(services), method.token),
    title: method.title,
    expires: method.expires,
    date_create: iso(services.clock.now()),
  })
  await keepDefault(trx, payment.project_id)
}

/** @throws NotFoundError for a method of another project */
export async function getMethod(services: Pick<Services, 'db'>, projectId: number, id: number): Promise<MethodRow> {
  const method = await findMethod(services.db, projectId, id)
  if (!method) throw new NotFoundError('MethodNotFound')
  return method
}

/** Makes a method the default one. @throws NotFoundError */
export async function chooseMethod(services: Pick<Services, 'db'>, projectId: number, id: number): Promise<void> {
  await projectTransaction(services.db, projectId, async (trx) => {
    const method = await findMethod(trx, projectId, id)
    if (!method) throw new NotFoundError('MethodNotFound')
    await updateDefaultMethod(trx, projectId, method.id)
  })
}

/** Removes a method and erases its token. Another one becomes the default. @throws NotFoundError */
export async function forgetMethod(
  services: Pick<Services, 'db' | 'clock'>,
  projectId: number,
  id: number,
): Promise<void> {
  await projectTransaction(services.db, projectId, async (trx) => {
    const method = await findMethod(trx, projectId, id)
    if (!method) throw new NotFoundError('MethodNotFound')
    await removeMethod(trx, method.id, iso(services.clock.now()))
    await keepDefault(trx, projectId)
  })
}

async function keepDefault(trx: Trx, projectId: number): Promise<void> {
  const [first] = await listMethods(trx, projectId)
  if (first && first.is_default === 0) await updateDefaultMethod(trx, projectId, first.id)
}
