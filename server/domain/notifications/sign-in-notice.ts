// Notifies a user of a sign-in with a new device, in its transaction.
import { iso } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import type { Trx } from '#server/db/open.ts'
import { deviceOf, maskAddress } from '#server/domain/account/devices.ts'
import type { Mail } from '#server/domain/account/mail.ts'
import { getUser } from '#server/domain/account/store.ts'
import { notify } from './notify.ts'
import { listProjectIds } from './store.ts'
import { textOf } from './texts.ts'

/** An e-mail with its recipient. */
interface Addressed {
  readonly to: string
  readonly mail: (origin: string) => Mail
}

/**
 * Writes the notification of a sign-in.
 * @returns an e-mail to send after the transaction, for a user without a project, who has no notifications; else null
 */
export async function noticeSignIn(
  services: Pick<Services, 'clock'>,
  trx: Trx,
  userId: number,
  { userAgent, address }: { readonly userAgent: string; readonly address: string },
): Promise<Addressed | null> {
  const [projectId] = await listProjectIds(trx, userId)
  const { browser, system } = deviceOf(userAgent)
  const date = iso(services.clock.now())
  const device = [browser, system, maskAddress(address)].filter(Boolean).join(', ')
  const params = { device, date }
  if (projectId !== undefined) {
    await notify(services, trx, { kind: 'new_sign_in', projectId, ref: `${userId}.${date}`, userId, params })
    return null
  }
  const { email, language } = await getUser(trx, userId)
  const [subject, text] = textOf({ kind: 'new_sign_in', params: JSON.stringify(params) }, language)
  return email === null
    ? null
    : { to: email, mail: (origin) => ({ subject, text: `${text}\n\n${origin}/account/sessions\n` }) }
}
