// Settings of papers by operators: the seller, taxes by country, the exchange rate, and the codes of 54-FZ receipts.
import * as z from 'zod/mini'
import { group } from '#contract/core/group.ts'
import { read, write } from '#contract/core/operation.ts'
import { Id, Nothing, Success } from '#contract/core/wire.ts'
import { PaperArchives, paperArchiveNotes } from '#contract/entities/paper-archives.ts'
import { Currency } from '#contract/entities/project.ts'
import { Reason } from './settings.ts'

/** Longest texts of the seller. */
export const sellerMax = { line: 200, address: 500 } as const

/** Number of tax systems of 54-FZ. */
export const taxSystemMax = 6
/** Number of VAT codes of YooKassa. Source: yookassa.ru, receipts, parameter values. */
export const vatCodeMax = 12

const RateMinor = z.int().check(z.minimum(1), z.maximum(100_000_000))
const TaxSystem = z.int().check(z.minimum(1), z.maximum(taxSystemMax))
const VatCode = z.int().check(z.minimum(1), z.maximum(vatCodeMax))

/** Tax that prices include, by country of the buyer. */
const TaxRate = z.object({
  country_id: z.int(),
  percent: z.number(),
  label: z.string(),
  reverse_charge: z.boolean(),
})
export type TaxRate = z.output<typeof TaxRate>

export const PaperSettings = z.object({
  seller_name: z.string(),
  seller_address: z.string(),
  seller_tax_id: z.string(),
  rates: z.array(z.object({ from: Currency, to: Currency, minor: z.nullable(z.int()) })),
  tax_system: z.nullable(z.int()),
  vat_code: z.nullable(z.int()),
  taxes: z.array(TaxRate),
})
export type PaperSettings = z.output<typeof PaperSettings>

const change = { output: Success, auth: 'operator', scope: 'operator:write', provenance: 'decided' } as const

export const papers = group(
  'operator.papers',
  { prefix: 'operator/papers', title: 'OperatorPapers', stale: ['operator.papers'] },
  {
    get: read('', {
      name: 'Get seller, taxes, exchange rate and receipt codes',
      input: Nothing,
      output: PaperSettings,
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
      notes: {
        rates:
          'every pair of currencies; `minor` units of `to` for a whole unit of `from`, null: a country that changes the currency is refused while the project has money',
        tax_system: 'null, as `vat_code`: no 54-FZ receipts are sent',
        taxes: 'percent that prices include, by country of the buyer',
      },
    }),
    archives: read('archives', {
      name: 'Get archives of the papers of all projects by month',
      input: Nothing,
      output: PaperArchives,
      auth: 'operator',
      scope: 'operator:read',
      provenance: 'decided',
      notes: paperArchiveNotes,
    }),
    setSeller: write('POST', 'seller', {
      name: 'Set the seller of papers',
      input: z.object({
        seller_name: z.string().check(z.trim(), z.minLength(1), z.maxLength(sellerMax.line)),
        seller_address: z.string().check(z.maxLength(sellerMax.address)),
        seller_tax_id: z.string().check(z.maxLength(sellerMax.line)),
        reason: Reason,
      }),
      ...change,
      notes: { seller_address: 'lines separated by line breaks', reason: 'issued papers keep their seller' },
    }),
    setExchange: write('POST', 'exchange', {
      name: 'Set the exchange rate of currency changes',
      input: z.object({ from: Currency, to: Currency, minor: z.nullable(RateMinor), reason: Reason }),
      ...change,
      notes: { minor: 'minor units of `to` for a whole unit of `from`, and back; null: no exchange' },
      stale: ['billing.pay-settings', 'operator.papers'],
    }),
    setReceipts: write('POST', 'receipts', {
      name: 'Set the codes of 54-FZ receipts',
      input: z.object({ tax_system: z.nullable(TaxSystem), vat_code: z.nullable(VatCode), reason: Reason }),
      ...change,
      notes: { tax_system: 'with `vat_code`; both null: no receipts are sent' },
    }),
    setTax: write('POST', 'tax', {
      name: 'Set the tax of a country',
      input: z.object({
        country_id: Id,
        percent: z.number().check(z.minimum(0), z.maximum(100), z.multipleOf(0.01)),
        label: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)),
        reverse_charge: z.optional(z.boolean()),
        reason: Reason,
      }),
      ...change,
      notes: {
        country_id: 'ISO 3166-1 numeric',
        percent: '0 removes the tax',
        reverse_charge: 'buyers with a tax id account for the tax; default: no',
      },
    }),
  },
)
