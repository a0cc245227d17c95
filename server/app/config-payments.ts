// Environment variables of payment providers.
import * as z from 'zod/mini'
import { ConfigError, type ReadVariables, variable } from '#server/core/variables.ts'
import { text } from './config-values.ts'

/** Schema, default and description of each variable. */
export const paymentVariables = {
  YOOKASSA_SHOP_ID: variable(
    z.string().check(z.regex(/^\d*$/)),
    '',
    'Shop at YooKassa: its number. With the secret key: payments in roubles. Needs PUBLIC_URL; send notifications to `/pay/webhook/yookassa`',
  ),
  YOOKASSA_SECRET_KEY: variable(text, '', 'Shop at YooKassa: secret key'),
  INVOICE_DETAILS: variable(
    text,
    '',
    'Bank details and instructions that customers see when they pay by invoice; `\\n` begins a new line. Empty: no manual invoices',
  ),
  STRIPE_SECRET_KEY: variable(
    z.string().check(z.regex(/^((sk|rk)_\S+)?$/)),
    '',
    'Secret key of Stripe, `sk_…` or a restricted `rk_…` (docs/billing.md). Empty: no payments by Stripe',
  ),
  STRIPE_WEBHOOK_SECRET: variable(
    z.string().check(z.regex(/^(whsec_\S+)?$/)),
    '',
    'Signing secret of the Stripe webhook `<PUBLIC_URL>/pay/webhook/stripe`, `whsec_…`. Required with STRIPE_SECRET_KEY',
  ),
  PAYPAL_CLIENT_ID: variable(
    z.string().check(z.regex(/^[\w-]*$/)),
    '',
    'REST app at PayPal: client id (docs/billing.md). Empty: no payments by PayPal',
  ),
  PAYPAL_CLIENT_SECRET: variable(text, '', 'REST app at PayPal: secret. Required with PAYPAL_CLIENT_ID'),
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
} as const

/**
 * Checks that a provider has all of its variables.
 * @throws ConfigError for Stripe or PayPal without PUBLIC_URL or a secret
 */
export function checkPayments(config: ReadVariables<typeof paymentVariables> & { readonly PUBLIC_URL: string }): void {
  if (config.STRIPE_SECRET_KEY !== '' && (config.PUBLIC_URL === '' || config.STRIPE_WEBHOOK_SECRET === ''))
    throw new ConfigError(
      'PUBLIC_URL and STRIPE_WEBHOOK_SECRET must be set when STRIPE_SECRET_KEY is: Stripe returns customers to PUBLIC_URL and signs its messages with the secret.',
    )
  const paypal = [config.PUBLIC_URL, config.PAYPAL_CLIENT_SECRET, config.PAYPAL_WEBHOOK_ID]
  if (config.PAYPAL_CLIENT_ID !== '' && paypal.includes(''))
    throw new ConfigError(
      'PUBLIC_URL, PAYPAL_CLIENT_SECRET and PAYPAL_WEBHOOK_ID must be set when PAYPAL_CLIENT_ID is: PayPal returns customers to PUBLIC_URL and signs its messages for the webhook.',
    )
}
