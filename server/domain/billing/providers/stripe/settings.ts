// Environment variables of Stripe.
import * as z from 'zod/mini'
import { ConfigError, publicUrl, settings, several, variable } from '#server/core/variables.ts'

/** Secret key, and the signing secret of the webhook. */
export interface StripeAccount {
  readonly secretKey: string
  readonly webhookSecret: string
}

export const stripeSettings = settings({
  stripe: several(
    {
      PUBLIC_URL: publicUrl,
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
    },
    ({ STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, PUBLIC_URL }): StripeAccount | null => {
      if (secretKey === '') return null
      if (PUBLIC_URL === '' || webhookSecret === '')
        throw new ConfigError(
          'PUBLIC_URL and STRIPE_WEBHOOK_SECRET must be set when STRIPE_SECRET_KEY is: Stripe returns customers to PUBLIC_URL and signs its messages with the secret.',
        )
      return { secretKey, webhookSecret }
    },
  ),
})
