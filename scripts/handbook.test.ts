// The handbook stays true: the three languages say the same, and quoted interface texts, reasons and platforms exist.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TestReason } from '#contract/areas/channels/channels.ts'
import { factsOf, platformTypes } from '#contract/platforms/platforms.ts'
import { DestinationReport } from '#contract/relay/reports.ts'
import { listFiles } from '#server/content/files.ts'
import { readLibrary } from '#server/content/library.ts'
import { chatFacts } from '#contract/platforms/chats.gen.ts'
import type { GuideStep } from '#src/app/home/off-air/check-steps.ts'
import { articles } from '#src/lib/articles.ts'

const languages = ['en', 'ru', 'cn'] as const
type Language = (typeof languages)[number]

interface Article {
  readonly slug: string
  readonly order: number
  readonly keywords: readonly string[]
  readonly platforms: readonly string[]
  readonly body: string
}

function readArticle(path: string): Article {
  const source = readFileSync(path, 'utf8')
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? []
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(front)?.[1] ?? ''
  const list = (name: string): string[] =>
    field(name)
      .replaceAll(/^\[|\]$/g, '')
      .split(', ')
      .filter(Boolean)
  const slug = `${basename(dirname(path))}/${basename(path, '.md')}`
  return { slug, order: Number(field('order')), keywords: list('keywords'), platforms: list('platforms'), body }
}

const read = (language: Language): ReadonlyMap<string, Article> =>
  new Map(
    readdirSync(join('handbook', language), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && basename(file) !== 'index.md')
      .map((file) => readArticle(join('handbook', language, file)))
      .map((article) => [article.slug, article]),
  )

const handbook: Readonly<Record<Language, ReadonlyMap<string, Article>>> = {
  en: read('en'),
  ru: read('ru'),
  cn: read('cn'),
}
const slugs = [...articles].toSorted()

/** Maximum size of an image of the handbook, bytes. */
const imageBytesMax = 120_000

const bodyOf = (language: Language, slug: string): string => {
  const article = handbook[language].get(slug)
  if (!article) throw new Error(`${language} has no article ${slug}`)
  return article.body
}

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '')

/** Parts that the languages must have in common: headings with their ids, link targets, images and code. */
const skeletonOf = (body: string) => ({
  headings: [...body.matchAll(/^(#+) .*?(\{#[\w-]+\})?$/gm)].map(([, marks = '', id = '']) => marks + id),
  links: all(body, /\]\(([^)\s]+)\)/g)
    .filter((target) => !target.startsWith('http'))
    .toSorted(),
  code: all(body, /`([^`\n]+)`/g).toSorted(),
  blocks: all(body, /^```\w*\n([\s\S]*?)^```$/gm),
})

/** Texts of the interface in one language; those with variables become patterns. */
function interfaceOf(language: Language) {
  const folder = join('locales', language)
  const collect = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(collect)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'))
  const values = files.flatMap((file) => collect(JSON.parse(readFileSync(join(folder, file), 'utf8'))))
  const texts = new Set([...values, ...platformTypes.map((type) => factsOf(type).title)])
  const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const patterns = values
    .filter((value) => value.includes('{{') && /\p{L}{2}/u.test(value.replaceAll(/\{\{.*?\}\}/g, '')))
    .map(
      (value) =>
        new RegExp(
          `^${value
            .split(/\{\{.*?\}\}/)
            .map(escape)
            .join('.+?')}$`,
          'u',
        ),
    )
  return (text: string): boolean => texts.has(text) || patterns.some((pattern) => pattern.test(text))
}

test('the service reads every text without a problem', async () => {
  const { files, problems } = await listFiles('handbook', 'help')
  const found: unknown[] = [...problems]
  const { texts } = await readLibrary(files, (problem) => found.push(problem))
  for (const inLanguages of texts.help.values())
    for (const { language, path, blocks } of inLanguages.values())
      if (JSON.stringify(blocks()).includes('**'))
        found.push(`${language}/${path} has asterisks that make nothing bold`)
  expect(found).toEqual([])
})

test('has the same articles in every language, each with its own place', () => {
  for (const language of languages) {
    const list = [...handbook[language].values()]
    expect([...handbook[language].keys()].toSorted()).toEqual(slugs)
    expect(new Set(list.map(({ order }) => order)).size).toBe(list.length)
    expect(list.filter(({ keywords }) => keywords.length < 3).map(({ slug }) => slug)).toEqual([])
  }
})

describe.each(slugs)('%s', (slug) => {
  test.each(['ru', 'cn'] as const)('has the headings, links and code of the English text in %s', (language) => {
    expect(skeletonOf(bodyOf(language, slug))).toEqual(skeletonOf(bodyOf('en', slug)))
    expect(handbook[language].get(slug)).toMatchObject({
      order: handbook.en.get(slug)?.order,
      platforms: handbook.en.get(slug)?.platforms,
    })
  })
})

describe.each(languages)('in %s', (language) => {
  const isShown = interfaceOf(language)

  test('every image exists, is made by the script, is shown by an article, and is small', () => {
    const folder = join('handbook', language, 'images')
    const files = readdirSync(folder).map((file) => basename(file, '.png'))
    const shown = slugs.flatMap((slug) => all(bodyOf(language, slug), /!\[[^\]]+\]\(\.\.\/images\/([\w-]+)\.png\)/g))
    const script = readdirSync('e2e').filter((file) => /^handbook-.*\.spec\.ts$/.test(file))
    const source = script.map((file) => readFileSync(join('e2e', file), 'utf8')).join('')
    const made = all(source, /shoot\(\s*\w+,\s*language,\s*'([\w-]+)'/g)
    expect(files.toSorted()).toEqual([...new Set(shown)].toSorted())
    expect(files.toSorted()).toEqual(made.toSorted())
    expect(files.filter((file) => statSync(join(folder, `${file}.png`)).size > imageBytesMax)).toEqual([])
  })

  test('bold texts are texts of the interface', () => {
    const unknown = slugs.flatMap((slug) =>
      all(bodyOf(language, slug), /\*\*([^*\n]+)\*\*/g)
        .filter((text) => !isShown(text))
        .map((text) => `${slug}: ${text}`),
    )
    expect(unknown).toEqual([])
  })

  test('the first article, and README, have the steps of the guide in its order', () => {
    const { guide } = JSON.parse(readFileSync(`locales/${language}/off-air.json`, 'utf8')) as {
      guide: Readonly<Record<GuideStep, { readonly title: string }>>
    }
    const steps = [guide.channel.title, guide.encoder.title, guide.stream.title]
    const [beginning = '', ...sections] = bodyOf(language, 'start/first-broadcast').split(/^## /m)
    const quoted = (text: string) => all(text, /\*\*([^*]+)\*\*/g).filter((one) => steps.includes(one))
    expect(quoted(beginning)).toEqual(steps)
    expect(sections.slice(0, 3).map((section) => /\{#(\w+)\}/.exec(section)?.[1])).toEqual([
      'channel',
      'encoder',
      'live',
    ])
    if (language === 'en') expect(quoted(readFileSync('README.md', 'utf8'))).toEqual(steps)
  })

  test('the article on failures names every reason', () => {
    const named = new Set(all(bodyOf(language, 'trouble/channel-failed'), /`([\w-]+)`/g))
    const live = JSON.parse(readFileSync(`locales/${language}/live.json`, 'utf8')) as { reason: object }
    const reasons = [
      ...DestinationReport.shape.reason.def.innerType.options,
      ...Object.keys(live.reason),
      ...TestReason.options,
    ]
    expect(reasons.filter((reason) => !named.has(reason))).toEqual([])
  })

  test('articles on platforms cover each platform, by its name', () => {
    const about = [...handbook[language].values()].filter(({ slug }) => slug.startsWith('platforms/'))
    const missing = platformTypes.filter(
      (type) => !about.some(({ platforms, body }) => platforms.includes(type) && body.includes(factsOf(type).title)),
    )
    expect(missing).toEqual([])
  })

  test('the table of chats says what each platform can do', () => {
    const words = { en: ['yes', 'no'], ru: ['да', 'нет'], cn: ['是', '否'] }[language]
    const rows = all(bodyOf(language, 'chat/all-platforms'), /^\|(.+)\|$/gm).map((row) =>
      row.split('|').map((cell) => cell.trim()),
    )
    const wrong = (Object.keys(chatFacts) as (keyof typeof chatFacts)[]).filter((type) => {
      const { reply, remove } = chatFacts[type]
      const [, , , replies, deletes] = rows.find(([title]) => title === factsOf(type).title) ?? []
      return replies !== words[reply ? 0 : 1] || deletes !== words[remove ? 0 : 1]
    })
    expect(wrong).toEqual([])
  })
})
