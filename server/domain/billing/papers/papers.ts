// Issues papers, and opens them by ticket. A paper gets its number in the transaction that books its event.
import * as z from 'zod/mini'
import { overdueDays } from '#contract/entities/operator.ts'
import { countryCodeOf } from '#contract/entities/countries.ts'
import { dayMs, iso, later } from '#server/core/clock.ts'
import type { Services } from '#server/core/context.ts'
import { NotFoundError } from '#server/core/errors.ts'
import { ticketsOf } from '#server/core/tickets.ts'
import type { Db, Trx } from '#server/db/open.ts'
import { includedTax, numberOf, type Paper, type PaperContent, type PaperKind, type Party, seriesOf } from './paper.ts'
import {
  findPaper,
  findPaperOf,
  findService,
  findTaxRate,
  getProjectName,
  insertPaper,
  listPapers,
  type PaperRow,
  upsertNumber,
} from './store.ts'
import { findProfile, getPaperSettings, type ProfileRow } from '#server/domain/billing/profile-store.ts'
import type { PaymentRow } from '#server/domain/billing/providers/provider.ts'

/** An event that needs a paper. */
export interface PaperRequest {
  readonly kind: PaperKind
  /** Name of the event: each has one paper. @example 'payment 12', 'refund re_1 2500' */
  readonly source: string
  readonly payment: Pick<PaymentRow, 'id' | 'project_id' | 'currency' | 'type' | 'title' | 'period' | 'provider'>
  /** Minor units, above zero; of a credit note the amount that is returned. */
  readonly amountMinor: number
  /** Bank details of an invoice; lines. */
  readonly account?: string
}

/**
 * Issues the paper of an event, or returns the existing paper of the event. Call it last in the transaction that books the
 * event: the series stays locked until the transaction ends.
 */
export async function issuePaper(
  trx: Trx,
  { clock }: Pick<Services, 'clock'>,
  request: PaperRequest,
): Promise<{ readonly id: number; readonly number: string }> {
  const { kind, source, payment } = request
  const known = await findPaperOf(trx, source)
  if (known) return { id: known.id, number: paperOf(known).number }
  const content = await contentOf(trx, iso(clock.now()), request)
  const series = seriesOf(kind, content.date)
  const number = await upsertNumber(trx, series)
  const paper: Paper = { ...content, number: numberOf(series, number) }
  const id = await insertPaper(trx, {
    project_id: payment.project_id,
    kind,
    series,
    number,
    source,
    payment_id: payment.id,
    content: JSON.stringify(paper),
    date_create: content.date,
  })
  return { id, number: paper.number }
}

async function contentOf(trx: Trx, date: string, request: PaperRequest): Promise<PaperContent> {
  const { kind, payment, amountMinor, account } = request
  const { project_id: projectId, currency, provider, type, title, period } = payment
  const profile = await findProfile(trx, projectId)
  const { seller_name, seller_address, seller_tax_id } = await getPaperSettings(trx)
  const corrected = kind === 'credit_note' ? await correctedBy(trx, projectId, payment.id) : undefined
  const { tax, isReversed } = corrected
    ? { tax: taxOf(corrected.tax, amountMinor), isReversed: corrected.reverseCharge === true }
    : await taxFor(trx, profile, amountMinor)
  const service = corrected ? corrected.service : type === 'topup' ? undefined : await findService(trx, payment.id)
  return {
    kind,
    date,
    currency,
    seller: { name: seller_name, email: '', taxId: seller_tax_id, address: linesOf(seller_address), country: '' },
    buyer: profile ? buyerOf(profile, await getProjectName(trx, projectId)) : await strangerOf(trx, projectId),
    items: [{ what: type, title, period, amountMinor }],
    totalMinor: amountMinor,
    tax,
    ...(isReversed && { reverseCharge: true }),
    ...(service && { service }),
    ...(account !== undefined && {
      transfer: { account: linesOf(account), due: iso(later(new Date(date), overdueDays * dayMs)) },
    }),
    provider,
    corrects: corrected?.number ?? null,
  }
}

type TaxKind = Pick<NonNullable<PaperContent['tax']>, 'label' | 'percentHundredths'>

const taxOf = (tax: TaxKind | null, totalMinor: number): PaperContent['tax'] =>
  tax && {
    label: tax.label,
    percentHundredths: tax.percentHundredths,
    amountMinor: includedTax(totalMinor, tax.percentHundredths),
  }

/** Returns the tax of the buyer's country; under reverse charge a buyer with a tax id accounts for it. */
async function taxFor(
  trx: Trx,
  profile: ProfileRow | undefined,
  totalMinor: number,
): Promise<{ readonly tax: PaperContent['tax']; readonly isReversed: boolean }> {
  const rate = profile && (await findTaxRate(trx, profile.country_id))
  if (!rate) return { tax: null, isReversed: false }
  if (rate.reverse_charge === 1 && profile.tax_id) return { tax: null, isReversed: true }
  return {
    tax: taxOf({ label: rate.label, percentHundredths: rate.percent_hundredths }, totalMinor),
    isReversed: false,
  }
}

/** Returns the paper that a credit note corrects: its tax is returned. */
async function correctedBy(trx: Trx, projectId: number, paymentId: number): Promise<Paper | undefined> {
  const papers = await listPapers(trx, projectId, paymentId)
  const corrected = papers.findLast(({ kind }) => kind === 'receipt') ?? papers.find(({ kind }) => kind === 'invoice')
  return corrected && paperOf(corrected)
}

const linesOf = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || [])

function buyerOf(profile: ProfileRow, projectName: string): Party {
  const { street, house_number, zip, city, state } = profile
  const lines = [[street, house_number], [zip, city], [state]]
  return {
    name: profile.company_name ?? projectName,
    email: profile.email,
    taxId: profile.tax_id ?? '',
    address: lines.flatMap((parts) => parts.filter(Boolean).join(' ') || []),
    country: countryCodeOf(profile.country_id) ?? '',
  }
}

/** Returns the buyer of a project without billing details. */
const strangerOf = async (trx: Trx, projectId: number): Promise<Party> => ({
  name: await getProjectName(trx, projectId),
  email: '',
  taxId: '',
  address: [],
  country: '',
})

/** Returns the frozen content of a stored paper. */
export const paperOf = ({ content }: Pick<PaperRow, 'content'>): Paper => JSON.parse(content) as Paper

/** Permission to open one paper. */
const Opening = z.object({
  projectId: z.int(),
  sessionId: z.int(),
  id: z.int(),
  language: z.enum(['en', 'ru', 'cn']),
})

/** Tickets of papers, good for ten minutes. */
export const paperTickets = ticketsOf<z.output<typeof Opening>>('paper ticket', Opening, 600_000)

/** Returns a paper of a project. @throws NotFoundError when the project has no such paper */
export async function getPaper(db: Db, projectId: number, id: number): Promise<Paper> {
  const row = await findPaper(db, projectId, id)
  if (!row) throw new NotFoundError('NoPaper')
  return paperOf(row)
}
