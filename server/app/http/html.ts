// HTML from template literals: values are escaped, except pieces that `html` made.
import type { Language } from '#contract/core/wire.ts'
import { escapeHtml } from '#server/content/html.ts'

/** Language tags (BCP 47) of the wire's codes, for HTML, feeds and `Intl`. */
export const languageTags: Readonly<Record<Language, string>> = { en: 'en', ru: 'ru', cn: 'zh-CN' }

/** A piece of a page. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | Html | false | readonly Html[]

/**
 * Makes a piece of a page; strings are escaped.
 * @example html`<p>${name}</p>`
 */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.map((text, at) => text + textOf(parts[at] ?? '')).join(''))

function textOf(part: Part): string {
  if (part === false) return ''
  if (part instanceof Html) return part.text
  return typeof part === 'string' ? escapeHtml(part) : part.map((item) => item.text).join('')
}
