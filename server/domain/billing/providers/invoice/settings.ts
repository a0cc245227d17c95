// Environment variable of manual invoices.
import * as z from 'zod/mini'
import { settings, several, variable } from '#server/core/variables.ts'

/** Bank details and instructions, shown to customers. */
export interface InvoiceAccount {
  readonly instructions: string
}

export const invoiceSettings = settings({
  invoice: several(
    {
      INVOICE_DETAILS: variable(
        z.string(),
        '',
        'Bank details and instructions that customers see when they pay by invoice; `\\n` begins a new line. Empty: no manual invoices',
      ),
    },
    ({ INVOICE_DETAILS: details }): InvoiceAccount | null =>
      details === '' ? null : { instructions: details.replaceAll(String.raw`\n`, '\n') },
  ),
})
