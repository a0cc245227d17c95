// A paper as lines of text in one language, for the printable page and the PDF. Pure.
import type { Language } from '#contract/core/wire.ts'
import { decimalOf } from '#server/domain/money/decimal.ts'
import type { Paper, PaperItem, Party } from '#server/domain/billing/paper.ts'
import { languageTags } from '#server/app/http/html.ts'
import { paperTexts, providerNames } from './paper-texts.ts'

/** Texts of a paper in the order in which they are shown. */
export interface PaperView {
  readonly language: Language
  readonly title: string
  readonly number: string
  /** Label and value. */
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly parties: readonly { readonly label: string; readonly lines: readonly string[] }[]
  readonly head: readonly [string, string]
  readonly items: readonly (readonly [text: string, amount: string])[]
  readonly total: readonly [label: string, amount: string]
  readonly tax: readonly [label: string, amount: string] | null
}

/** Returns the texts of a paper. Amounts and dates (UTC) are written as the language does. */
export function paperView(paper: Paper, language: Language): PaperView {
  const t = paperTexts[language]
  const money = (minor: number) => moneyOf(minor, paper.currency, language)
  const date = new Intl.DateTimeFormat(languageTags[language], { dateStyle: 'long', timeZone: 'UTC' })
  const totals = { receipt: t.total, invoice: t.due, credit_note: t.refunded }
  const { tax } = paper
  return {
    language,
    title: t.kind[paper.kind],
    number: paper.number,
    facts: [
      [t.date, date.format(new Date(paper.date))],
      [t.paidWith, providerNames[paper.provider]?.[language] ?? paper.provider],
      ...(paper.corrects === null ? [] : ([[t.corrects, paper.corrects]] as const)),
    ],
    parties: [
      { label: t.seller, lines: linesOf(paper.seller, language) },
      { label: t.buyer, lines: linesOf(paper.buyer, language) },
    ].filter(({ lines }) => lines.length > 0),
    head: [t.item, t.amount],
    items: paper.items.map((item) => [itemText(item, language), money(item.amountMinor)]),
    total: [totals[paper.kind], money(paper.totalMinor)],
    tax: tax && [
      t.including.replace('%s', () => `${tax.label} ${percentOf(tax.percentHundredths)}`),
      money(tax.amountMinor),
    ],
  }
}

function itemText({ what, title, period }: PaperItem, language: Language): string {
  const t = paperTexts[language]
  return [title === null ? t.what[what] : t.what[what] + t.colon + title, period && t.period[period]]
    .filter(Boolean)
    .join(t.comma)
}

function linesOf({ name, address, country, taxId, email }: Party, language: Language): string[] {
  const names = new Intl.DisplayNames(language === 'cn' ? 'zh-Hans' : language, { type: 'region' })
  const t = paperTexts[language]
  const id = taxId === '' ? '' : t.taxId + t.colon + taxId
  return [name, ...address, country === '' ? '' : (names.of(country) ?? country), id, email].filter(Boolean)
}

const moneyOf = (minor: number, currency: string, language: Language): string =>
  new Intl.NumberFormat(languageTags[language], { style: 'currency', currency: currency.toUpperCase() }).format(
    decimalOf(minor),
  )

const percentOf = (hundredths: number): string => `${decimalOf(hundredths).replace(/\.?0+$/, '')} %`
