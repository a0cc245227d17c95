// Library of texts: articles, posts and policies of the shipped handbook and of CONTENT_DIR.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { languages } from '#contract/core/codes.ts'
import type { Language } from '#contract/core/wire.ts'
import type { Block } from '#contract/entities/text-tree.ts'
import { type ContentFile, type Problem, together } from './files.ts'
import { type FrontMatter, readFrontMatter } from './front-matter.ts'
import { imageRoute, readImage, type StoredImage } from './images.ts'
import { markdownTree } from './markdown.ts'
import { posix } from 'node:path'
import type { Resolver } from './inlines.ts'

// Links and images of a text: allowed schemes, paths of the dashboard, other texts of the same folder.

const allowed = new Set(['http:', 'https:', 'mailto:'])

/**
 * Creates the resolver of a text.
 * @param file path of the text: `help/en/start/obs.md`
 * @param addressOf address of another text by its path; null for an unknown one
 */
export function createResolver(
  file: string,
  addressOf: (path: string) => string | null,
  images: ReadonlyMap<string, StoredImage>,
): Resolver {
  /** Path of a relative address below the content folder; null outside it. */
  function pathOf(address: string): string | null {
    const path = posix.normalize(posix.join(posix.dirname(file), address))
    return path === '..' || path.startsWith('../') || path.includes('\0') ? null : path
  }

  return {
    link(href) {
      const [address = '', anchor = ''] = href.split('#', 2)
      if (href.startsWith('#')) return { to: `#${encodeURI(decoded(anchor))}` }
      const hash = anchor === '' ? '' : `#${encodeURI(decoded(anchor))}`
      if (href.startsWith('/')) {
        const url = URL.parse(href, 'http://dashboard')
        return url?.origin === 'http://dashboard' && !href.startsWith('//')
          ? { to: url.pathname + url.search + url.hash }
          : 'The link leads to an unnamed scheme'
      }
      const url = URL.parse(href)
      if (url) return allowed.has(url.protocol) ? { to: url.href } : 'Links may be http, https, mailto or relative'
      const path = pathOf(decoded(address))
      if (path === null) return 'The link leads out of the folder'
      const to = addressOf(path)
      return to === null ? 'The link names no text' : { to: to + hash }
    },
    image(src) {
      if (src.startsWith('/') || URL.parse(src)) return 'Images are relative paths to PNG or WebP files'
      if (!/\.(?:png|webp)$/i.test(src)) return 'Images are PNG or WebP'
      const path = pathOf(decoded(src))
      if (path === null) return 'The image is outside the folder'
      const image = images.get(path)
      if (!image) return 'The image is missing or no PNG or WebP'
      return { src: imageRoute + image.name, width: image.width, height: image.height }
    },
  }
}

function decoded(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}

/** Kinds of texts: folders of CONTENT_DIR. */
export type TextKind = 'help' | 'blog' | 'policies'

/** A text in one language. */
export interface Text {
  readonly kind: TextKind
  readonly language: Language
  /** Path without kind and language: `start/obs`, `new-release`, `refund`. */
  readonly path: string
  readonly title: string
  readonly order: number
  readonly keywords: readonly string[]
  readonly platforms: readonly string[]
  readonly tags: readonly string[]
  /** Date of a post; null: none. */
  readonly date: Date | null
  /** Short text of a post; empty: its first paragraph. */
  readonly summary: string
  readonly changed: Date
  /** Markdown without the front matter. */
  readonly source: string
  /** Returns the text as a tree, made at the first call. */
  readonly blocks: () => readonly Block[]
  /** The text where plans do not apply. */
  readonly withoutPlans?: Text
}

/** All texts and images. */
export interface Library {
  /** Texts by kind, path and language. */
  readonly texts: Readonly<Record<TextKind, ReadonlyMap<string, ReadonlyMap<Language, Text>>>>
  /** Images by the name in their address. */
  readonly images: ReadonlyMap<string, StoredImage>
}

/** Maximum size of a text, bytes. */
const textBytesMax = 256_000

const place = /^(?<kind>help|blog|policies)\/(?<language>en|ru|cn)\/(?<path>.+)\.md$/
const pathIn: Readonly<Record<TextKind, RegExp>> = {
  help: /^[a-z\d]+(?:-[a-z\d]+)*\/[a-z\d]+(?:-[a-z\d]+)*$/,
  blog: /^[a-z\d]+(?:-[a-z\d]+)*$/,
  policies: /^(?:refund|terms-of-use|using-cookie|acceptable-use|privacy-notice)$/,
}

/** Id of a page: 24 hexadecimal digits, the same in every language. */
export const pageId = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 24)

/** Path of a text in the dashboard. */
export const addressOf = ({ kind, path }: Pick<Text, 'kind' | 'path'>): string => `/${kind}/${path}`

/**
 * Reads texts and images. A later file replaces an earlier one of the same path.
 * @param report receives the problems of texts when they are converted
 */
export async function readLibrary(files: readonly ContentFile[], report: (problem: Problem) => void): Promise<Library> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const images = new Map<string, StoredImage>()
  const texts = { help: new Map(), blog: new Map(), policies: new Map() } as {
    readonly [K in TextKind]: Map<string, Map<Language, Text>>
  }
  await together([...byPath.values()], async (file) => {
    if (!file.path.endsWith('.md')) {
      const image = await readImage(file)
      if (image) images.set(file.path, image)
      return
    }
    const text = await readText(file)
    if (!text) return
    const languagesOf = texts[text.kind].get(text.path) ?? new Map<Language, Text>()
    texts[text.kind].set(text.path, languagesOf.set(text.language, text))
  })
  return { texts, images: new Map([...images.values()].map((image) => [image.name, image])) }

  async function readText(file: ContentFile): Promise<Text | null> {
    const found = place.exec(file.path)?.groups
    const kind = found?.['kind'] as TextKind | undefined
    const path = found?.['path'] ?? ''
    if (!kind || !pathIn[kind].test(path)) return refuse(file, 'No place for a text: docs/handbook.md lists the places')
    if (file.size > textBytesMax) return refuse(file, `The text has more than ${textBytesMax} bytes`)
    const matter = readFrontMatter(await readFile(file.absolute, 'utf8').catch(() => ''))
    for (const line of matter.unread) report({ file: file.path, line, text: 'Not a field of the front matter' })
    const title = one(matter, 'title')
    if (title === '') return refuse(file, 'The title is missing')
    const date = one(matter, 'date')
    if (date !== '' && Number.isNaN(Date.parse(date))) report({ file: file.path, line: 0, text: 'The date is no date' })
    if (date === '' && kind === 'blog') report({ file: file.path, line: 0, text: 'The date of the post is missing' })
    const facts = {
      kind,
      language: found?.['language'] as Language,
      path,
      title,
      order: Number.parseInt(one(matter, 'order'), 10) || 0,
      keywords: many(matter, 'keywords'),
      platforms: many(matter, 'platforms'),
      tags: many(matter, 'tags'),
      date: Number.isNaN(Date.parse(date)) ? null : new Date(date),
      summary: one(matter, 'summary'),
      changed: file.changed,
    }
    const of = (body: string, tell: typeof report): Text => {
      let made: readonly Block[] | undefined
      return { ...facts, source: body, blocks: () => (made ??= convert(file, { ...matter, body }, tell)) }
    }
    // The problems of both are the same.
    const withoutPlans = of(partsFor(matter.body, false), () => undefined)
    return { ...of(partsFor(matter.body, true), report), withoutPlans }
  }

  function refuse(file: ContentFile, text: string): null {
    report({ file: file.path, line: 0, text })
    return null
  }

  function convert(file: ContentFile, { body, firstLine }: FrontMatter, tell: typeof report): readonly Block[] {
    const addressOfPath = (path: string): string | null => {
      const found = place.exec(path)?.groups
      const kind = found?.['kind'] as TextKind | undefined
      return kind && texts[kind].has(found?.['path'] ?? '') ? addressOf({ kind, path: found?.['path'] ?? '' }) : null
    }
    const resolver = createResolver(file.path, addressOfPath, images)
    return markdownTree(body, resolver, (line, text) => tell({ file: file.path, line: line + firstLine - 1, text }))
  }
}

/**
 * Returns the Markdown of a server with plans, or of one without. `{plans}…{/plans}` is a part about plans; `{plans}` without an
 * end makes its whole line one, for instance an item or a row.
 */
function partsFor(source: string, hasPlans: boolean): string {
  if (hasPlans) return source.replaceAll(/\{\/?plans\}/g, '')
  const parts = source.replaceAll(/\{plans\}[^\n]*?\{\/plans\}/g, '')
  return parts
    .split('\n')
    .filter((line) => !line.includes('{plans}'))
    .join('\n')
}

const librariesWithoutPlans = new WeakMap<Library, Library>()

/** Returns the library of a server without plans: no articles and no parts about them. */
export function libraryWithoutPlans(library: Library): Library {
  const known = librariesWithoutPlans.get(library)
  if (known) return known
  const { texts, images } = library
  const help = [...texts.help]
    .filter(([path]) => !path.startsWith('plans/'))
    .map(([path, inLanguages]) => {
      const others = [...inLanguages].map(([language, text]) => [language, text.withoutPlans ?? text] as const)
      return [path, new Map(others)] as const
    })
  const made = { texts: { ...texts, help: new Map(help) }, images }
  librariesWithoutPlans.set(library, made)
  return made
}

/**
 * Returns the text of a page in a language, else in English, else in another one.
 * @param inLanguages texts of the page
 */
export function textIn(inLanguages: ReadonlyMap<Language, Text> | undefined, language: Language): Text | undefined {
  const order = [language, ...languages]
  return order.map((each) => inLanguages?.get(each)).find((text) => text !== undefined)
}

const one = ({ fields }: FrontMatter, name: string): string => {
  const value = fields.get(name) ?? ''
  return typeof value === 'string' ? value : value.join(', ')
}

const many = ({ fields }: FrontMatter, name: string): readonly string[] => {
  const value = fields.get(name) ?? []
  return typeof value === 'string'
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean)
    : value
}
