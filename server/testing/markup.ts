// Strict parser of HTML and XML for tests, by jsdom.
import { createRequire } from 'node:module'

interface Element {
  readonly tagName: string
  readonly textContent: string
  readonly getAttribute: (name: string) => string | null
}

interface Markup {
  readonly documentElement: Element
  readonly getElementsByTagName: (name: string) => Iterable<Element>
  readonly querySelectorAll: (selector: string) => Iterable<Element>
}

type Constructor = new (
  source: string,
  options: { readonly contentType: string },
) => { readonly window: { readonly document: Markup } }

// jsdom has no types.
const { JSDOM } = createRequire(import.meta.url)('jsdom') as { readonly JSDOM: Constructor }

/** Parses a document. @throws on malformed XML */
export const parseMarkup = (source: string, contentType: 'text/html' | 'application/xml'): Markup =>
  new JSDOM(source, { contentType }).window.document
