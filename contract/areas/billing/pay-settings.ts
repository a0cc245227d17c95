// Pay setting: billing details of a project (country, address, tax id) and its preferred payment system.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { maybe } from '#contract/core/lenient.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, InProject, Success } from '#contract/core/wire.ts'
import { Currency } from '#contract/entities/project.ts'

/** Longest line of an address, longest tax id, longest description. */
export const detailMax = { line: 255, taxId: 50, description: 1000 } as const

const line = (max: number, min = 1) =>
  z.string().check(z.trim(), z.minLength(min), z.maxLength(max), z.regex(/^\P{Cc}*$/u))

/** Billing details (published `PaySettingResponse_v3`). */
export const PaySetting = z.object({
  project_id: z.int(),
  currency: Currency,
  countrie_id: z.int(),
  organization_id: z.nullable(z.int()),
  pay_system_id: z.int(),
  email: z.string(),
  street: maybe(z.string()),
  house_number: maybe(z.string()),
  zip: maybe(z.string()),
  city: maybe(z.string()),
  state: maybe(z.string()),
  company_name: maybe(z.string()),
  tax_id: maybe(z.string()),
  description: maybe(z.string()),
})
export type PaySetting = z.output<typeof PaySetting>

/** Effect of a country on the currency of a project. Money in minor units of `currency`. */
export const CountryCheck = z.object({
  confirm: z.boolean(),
  exchange: z.number(),
  currency: Currency,
  country: z.object({ id: z.int(), code: z.string(), name: z.string() }),
  balance: z.object({ bonus: z.int(), payment: z.int(), profit: z.int() }),
})
export type CountryCheck = z.output<typeof CountryCheck>

export const paySettings = group(
  'billing.pay-settings',
  { prefix: 'pay-setting', title: 'Pay setting' },
  {
    get: read('', {
      name: 'Get pay settings for profile (v3)',
      version: '3',
      input: InProject,
      output: z.object({ result: z.nullable(PaySetting) }),
      auth: 'owner',
      scope: 'billing:read',
      provenance: 'published',
      notes: {
        countrie_id: 'ISO 3166-1 numeric',
        result: 'null before the first save',
        pay_system_id: '0: no preference',
      },
    }),
    set: write('POST', '', {
      name: 'Set pay settings for profile (v3)',
      input: z.extend(InProject, {
        countrie_id: Id,
        organization_id: z.optional(z.nullable(Id)),
        pay_system_id: z.int().check(z.minimum(0), z.maximum(2_147_483_647)),
        email: z.email().check(z.minLength(5), z.maxLength(255)),
        street: z.optional(line(detailMax.line, 3)),
        house_number: z.optional(line(detailMax.line)),
        zip: z.optional(line(detailMax.line)),
        city: z.optional(line(detailMax.line)),
        state: z.optional(line(detailMax.line)),
        company_name: z.optional(line(detailMax.line)),
        tax_id: z.optional(line(detailMax.taxId)),
        description: z.optional(z.nullable(z.string().check(z.maxLength(detailMax.description)))),
      }),
      output: Success,
      auth: 'owner',
      scope: 'billing:write',
      provenance: 'published',
      notes: {
        countrie_id: 'ISO 3166-1 numeric; 643 (Russia) makes the currency `rub`, every other country `usd`',
        pay_system_id: '`pay_system_id` of pay-system/list; 0: no preference',
        street: 'street, house_number, zip, city and state are required outside Russia',
        tax_id: 'decided: printed on papers',
      },
      stale: ['account.profile', 'billing', 'projects.history', 'projects.projects', 'tariffs'],
    }),
    checkCountry: read('check-country', {
      name: 'Check country after update user',
      input: z.extend(InProject, { country_id: Id }),
      output: CountryCheck,
      auth: 'owner',
      scope: 'billing:read',
      provenance: 'published',
      notes: {
        confirm: 'the balance would be exchanged, so that the owner should confirm it',
        exchange: 'units of the new currency for one of the old; 1 when the currency stays',
        balance: 'minor units of `currency`, after the exchange',
        country_id: 'ISO 3166-1 numeric',
      },
    }),
  },
)
