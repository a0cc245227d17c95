// Environment variables of YooKassa.
import * as z from 'zod/mini'
import { settings, several, variable } from '#server/core/variables.ts'

/** A shop at YooKassa. */
export interface YookassaAccount {
  readonly shopId: string
  readonly secretKey: string
}

export const yookassaSettings = settings({
  yookassa: several(
    {
      YOOKASSA_SHOP_ID: variable(
        z.string().check(z.regex(/^\d*$/)),
        '',
        'Shop at YooKassa: its number. With the secret key: payments in roubles. Needs PUBLIC_URL; send notifications to `/pay/webhook/yookassa`',
      ),
      YOOKASSA_SECRET_KEY: variable(z.string(), '', 'Shop at YooKassa: secret key'),
    },
    ({ YOOKASSA_SHOP_ID: shopId, YOOKASSA_SECRET_KEY: secretKey }): YookassaAccount | null =>
      shopId === '' || secretKey === '' ? null : { shopId, secretKey },
  ),
})
