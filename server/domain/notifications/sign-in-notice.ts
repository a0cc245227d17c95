// Notifies a user of a sign-in with a new device, in its transaction.
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { deviceOf, maskAddress } from '#server/domain/account/devices.ts'
import { notify } from './notify.ts'
import { listProjectIds } from './store.ts'

/** Writes the notification of a sign-in. A user without a project has none. */
export async function noticeSignIn(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  userId: number,
  { userAgent, address }: { readonly userAgent: string; readonly address: string },
): Promise<void> {
  const [projectId] = await listProjectIds(trx, userId)
  if (projectId === undefined) return
  const { browser, system } = deviceOf(userAgent)
  const date = iso(services.clock.now())
  const device = [browser, system, maskAddress(address)].filter(Boolean).join(', ')
  await notify(services, trx, {
    kind: 'new_sign_in',
    projectId,
    ref: `${userId}.${date}`,
    userId,
    params: { device, date },
  })
}
