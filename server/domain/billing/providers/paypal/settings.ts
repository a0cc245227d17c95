// Environment variables of PayPal, and the hosts of an account.
import * as z from 'zod/mini'
import { ConfigError, publicUrl, settings, several, variable } from '#server/core/variables.ts'

/** REST app at PayPal, live or in its sandbox, with the id of its webhook. */
export interface PaypalAccount {
  readonly mode: 'live' | 'sandbox'
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookId: string
}

/** Host of the API, and the hosts that serve the certificates of webhook signatures. */
export const paypalHosts: Readonly<
  Record<PaypalAccount['mode'], { readonly api: string; readonly certificates: readonly string[] }>
> = {
  live: { api: 'api-m.paypal.com', certificates: ['api.paypal.com', 'api-m.paypal.com'] },
  sandbox: { api: 'api-m.sandbox.paypal.com', certificates: ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com'] },
}

export const paypalSettings = settings({
  paypal: several(
    {
      PUBLIC_URL: publicUrl,
      PAYPAL_CLIENT_ID: variable(
        z.string().check(z.regex(/^[\w-]*$/)),
        '',
        'REST app at PayPal: client id (docs/billing.md). Empty: no payments by PayPal',
      ),
      PAYPAL_CLIENT_SECRET: variable(z.string(), '', 'REST app at PayPal: secret. Required with PAYPAL_CLIENT_ID'),
      PAYPAL_WEBHOOK_ID: variable(
        z.string().check(z.regex(/^\w*$/)),
        '',
        'Id of the PayPal webhook `<PUBLIC_URL>/pay/webhook/paypal`, part of what its signatures cover. Required with PAYPAL_CLIENT_ID',
      ),
      PAYPAL_MODE: variable(
        z.enum(['live', 'sandbox']),
        'live',
        '`sandbox`: payments for tests, with an app of the PayPal sandbox',
      ),
    },
    (values): PaypalAccount | null => {
      const { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret, PAYPAL_WEBHOOK_ID: webhookId } = values
      if (clientId === '') return null
      if ([values.PUBLIC_URL, clientSecret, webhookId].includes(''))
        throw new ConfigError(
          'PUBLIC_URL, PAYPAL_CLIENT_SECRET and PAYPAL_WEBHOOK_ID must be set when PAYPAL_CLIENT_ID is: PayPal returns customers to PUBLIC_URL and signs its messages for the webhook.',
        )
      return { mode: values.PAYPAL_MODE, clientId, clientSecret, webhookId }
    },
  ),
})
