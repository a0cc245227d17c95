// Settings of the installation: use of plans, and the registration bonus.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { Nothing, Success } from '#contract/core/wire.ts'
import { FactorDemand, SignUpMode } from '#contract/entities/account.ts'
import { currencyFields } from '#contract/entities/currencies.ts'
import { ServerLimits } from '#contract/entities/operator.ts'
import { BillingMode } from '#contract/entities/plan.ts'

/** Reason of an operator's change, kept in the log. */
export const Reason = z.string().check(z.minLength(1), z.maxLength(500))

/** Largest registration bonus, minor units. */
export const bonusMaxMinor = 100_000_000
const Bonus = z.int().check(z.minimum(0), z.maximum(bonusMaxMinor))

export const OperatorSettings = z.object({
  billing: BillingMode,
  /** Bonus of a new personal project by currency, minor units. */
  ...currencyFields('bonus', () => z.int()),
  /** Projects that would have the free plan if plans applied. */
  projects_free: z.int(),
  /** Projects with a bought restream plan that runs. */
  projects_paid: z.int(),
  /** Bought plans of all lines that run. */
  plans_running: z.int(),
  /** A payment was made at some time. */
  has_payments: z.boolean(),
  /** `auto`: plans open sign-up to every visitor. */
  sign_up: SignUpMode,
  /** Configured ways to pay, `invoice` included; empty: projects cannot pay. */
  providers: z.array(z.string()),
  /** Users that need a second factor. */
  second_factor: FactorDemand,
  limits: ServerLimits,
})

export const settings = group(
  'operator.settings',
  { prefix: 'operator/settings', title: 'OperatorSettings' },
  {
    get: read('', {
      name: 'Get settings of the installation',
      input: Nothing,
      output: OperatorSettings,
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
    }),
    setBilling: write('POST', 'billing', {
      name: 'Switch plans on or off',
      input: z.object({ billing: BillingMode, reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: { billing: '`off`: everything is included, and nothing is sold. Bought plans stay stored' },
      // Every page depends on the use of plans.
      stale: ['account.auth.me', 'help.articles', 'operator', 'projects.projects', 'tariffs'],
    }),
    setSecondFactor: write('POST', 'second-factor', {
      name: 'Demand a second factor of users',
      input: z.object({ second_factor: FactorDemand, reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      revokes: true,
      provenance: 'decided',
      notes: { second_factor: 'users without one get 403 `SecondFactorDemanded` until they set it up' },
    }),
    setLimits: write('POST', 'limits', {
      name: 'Set limits of the server',
      input: z.extend(ServerLimits, { reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: {
        channels: 'on at the same time; applies while plans are off',
        storage: 'GB for recordings; applies while plans are off',
        transcoders: 'per project; replaces `TRANSCODERS_MAX`',
      },
      stale: ['operator.settings', 'projects.projects', 'tariffs', 'ingest.transcoders', 'broadcasts.recordings'],
    }),
    setBonus: write('POST', 'bonus', {
      name: 'Set the registration bonus',
      input: z.object({ ...currencyFields('bonus', () => Bonus), reason: Reason }),
      output: Success,
      auth: 'operator',
      scope: 'operator:write',
      provenance: 'decided',
      notes: currencyFields('bonus', () => 'minor units'),
    }),
  },
)
