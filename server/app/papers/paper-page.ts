// A paper as texts in one language, and its printable page: HTML without scripts.
import { createHash } from 'node:crypto'
import { html, languageTags } from '#server/app/http/html.ts'
import cn from '#locales/cn/service/papers.json' with { type: 'json' }
import en from '#locales/en/service/papers.json' with { type: 'json' }
import ru from '#locales/ru/service/papers.json' with { type: 'json' }
import { fill } from '#server/core/locale.ts'
import type { Language } from '#contract/core/wire.ts'
import { payProviderFacts } from '#contract/entities/pay-provider-facts.ts'
import { decimalOf } from '#server/domain/money/decimal.ts'
import type { Paper, PaperItem, Party } from '#server/domain/billing/papers/paper.ts'

const paperTexts: Readonly<Record<Language, typeof en>> = { en, ru, cn }

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .25rem; }
.number { margin: 0 0 1.5rem; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; margin: 0 0 1.5rem; }
dt { opacity: .7; } dd { margin: 0; }
.parties { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 1.5rem; }
h2 { font-size: 1rem; margin: 0; opacity: .7; font-weight: normal; } .parties p { margin: 0; }
table { width: 100%; border-collapse: collapse; margin: 2rem 0; }
th, td { padding: .625rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); text-align: start; font-weight: normal; }
th:last-child, td:last-child { text-align: end; white-space: nowrap; padding-inline-start: 1.5rem; font-variant-numeric: tabular-nums; }
thead th { opacity: .7; } .total > * { font-weight: 600; } tfoot tr:last-child > * { border-bottom: 0; }
.tools { opacity: .8; font-size: .875rem; } a { color: inherit; }
@media print { :root { color-scheme: light; font-size: 11pt; } .tools { display: none; } body { margin: 0; max-width: none; } }
`

/** Policy of the page: its own style sheet and nothing else. */
export const paperPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/**
 * Makes the page of a paper; texts of customers are escaped.
 * @param pdf address of the same paper as PDF
 */
export function paperPage(view: PaperView, pdf: string): string {
  const t = paperTexts[view.language]
  const body = html`<h1>${view.title}</h1>
    <p class="number">${view.number}</p>
    <dl>
      ${view.facts.map(
        ([label, value]) =>
          html`<dt>${label}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    <div class="parties">
      ${view.parties.map(
        ({ label, lines }) =>
          html`<section>
            <h2>${label}</h2>
            ${lines.map((line) => html`<p>${line}</p>`)}
          </section>`,
      )}
    </div>
    <table>
      <thead>
        <tr>
          <th scope="col">${view.head[0]}</th>
          <th scope="col">${view.head[1]}</th>
        </tr>
      </thead>
      <tbody>
        ${view.items.map(
          ([text, amount]) =>
            html`<tr>
              <td>${text}</td>
              <td>${amount}</td>
            </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr class="total">
          <th scope="row">${view.total[0]}</th>
          <td>${view.total[1]}</td>
        </tr>
        ${
          view.net !== null &&
          html`<tr>
            <th scope="row">${view.net[0]}</th>
            <td>${view.net[1]}</td>
          </tr>`
        }
        ${
          view.tax !== null &&
          html`<tr>
            <th scope="row">${view.tax[0]}</th>
            <td>${view.tax[1]}</td>
          </tr>`
        }
      </tfoot>
    </table>
    ${view.notes.map((note) => html`<p>${note}</p>`)}
    <p class="tools"><a href="${pdf}">${t.download}</a>. ${t.print}</p>`
  const page = html`<!doctype html>
    <html lang="${languageTags[view.language]}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${view.title} ${view.number}</title>
      </head>
    </html>`.text
  return `${page}<style>${style}</style></head><body><main>${body.text}</main></body></html>`
}

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
  /** Total without its tax. */
  readonly net: readonly [label: string, amount: string] | null
  readonly tax: readonly [label: string, amount: string] | null
  readonly notes: readonly string[]
}

/** Returns the texts of a paper. Amounts and dates (UTC) are written as the language does. */
export function paperView(paper: Paper, language: Language): PaperView {
  const t = paperTexts[language]
  const money = (minor: number) => moneyOf(minor, paper.currency, language)
  const date = new Intl.DateTimeFormat(languageTags[language], { dateStyle: 'long', timeZone: 'UTC' })
  const totals = { receipt: t.total, invoice: t.due, credit_note: t.refunded }
  const { tax, service, transfer } = paper
  const dayOf = (iso: string) => date.format(new Date(iso))
  return {
    language,
    title: t.kind[paper.kind],
    number: paper.number,
    facts: [
      [t.date, dayOf(paper.date)],
      [t.paidWith, providerName(paper.provider, language)],
      ...(transfer
        ? ([
            [t.payUntil, dayOf(transfer.due)],
            [t.reference, paper.number],
          ] as const)
        : []),
      ...(service ? ([[t.service, `${dayOf(service.start)} – ${dayOf(service.end)}`]] as const) : []),
      ...(paper.corrects === null ? [] : ([[t.corrects, paper.corrects]] as const)),
    ],
    parties: [
      { label: t.seller, lines: linesOf(paper.seller, language) },
      { label: t.buyer, lines: linesOf(paper.buyer, language) },
      { label: t.account, lines: transfer?.account ?? [] },
    ].filter(({ lines }) => lines.length > 0),
    head: [t.item, t.amount],
    items: paper.items.map((item) => [itemText(item, language), money(item.amountMinor)]),
    total: [totals[paper.kind], money(paper.totalMinor)],
    net: tax && [t.net, money(paper.totalMinor - tax.amountMinor)],
    tax: tax && [
      fill(t.including, { tax: `${tax.label} ${percentOf(tax.percentHundredths)}` }),
      money(tax.amountMinor),
    ],
    notes: paper.reverseCharge ? [t.reverseCharge] : [],
  }
}

/** Name of a payment provider; an unknown one as it is. */
function providerName(provider: string, language: Language): string {
  const texts = payProviderFacts(provider)?.texts[language]
  return texts?.paper ?? texts?.name ?? provider
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
