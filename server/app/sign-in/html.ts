// HTML out of template literals: everything that is put in is text, except what was made here before.

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
  return typeof part === 'string' ? escape(part) : part.map((item) => item.text).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
