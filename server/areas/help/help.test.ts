// Tests of the handbook, the blog, the policies, their images and the feed.
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { articles } from '#contract/areas/help/articles.ts'
import { blogPages } from '#contract/areas/help/blog-pages.ts'
import { blogTags } from '#contract/areas/help/blog-tags.ts'
import { policies } from '#contract/areas/help/policies.ts'
import { settings } from '#contract/areas/operator/settings.ts'
import { languages } from '#contract/core/codes.ts'
import type { Language } from '#contract/core/wire.ts'
import type { Block } from '#contract/entities/text-tree.ts'
import { contentFolder, somePng, somePolicy, somePost, writeContent } from '#server/testing/content.ts'
import { parseMarkup } from '#server/testing/markup.ts'
import { planWords } from '#server/testing/plan-words.ts'
import { newOperator, testApp, type World } from '#server/testing/test-app.ts'

const folder = contentFolder()
let world: World

const article = (title: string, text: string) => `---\ntitle: ${title}\norder: 1\n---\n\n${text}\n`

beforeAll(async () => {
  writeContent(folder, {
    'help/en/start/obs.md': article('Our OBS', 'The operator wrote this.'),
    'help/en/own/index.md': '---\ntitle: Our section\norder: 99\n---\n',
    'help/en/own/rules.md': article('House rules', 'Be kind. See [OBS](../start/obs.md).'),
    'help/ru/own/only-russian.md': article('Только по-русски', 'Текст.'),
    'blog/en/first.md': somePost,
    'blog/en/dot.png': somePng,
    'blog/en/second.md':
      '---\ntitle: "Second <b>"\ndate: 2026-02-20\ntags: [news]\nsummary: In short.\n---\n\nLong & "text".\n',
    'blog/ru/second.md': '---\ntitle: Вторая\ndate: 2026-02-20\ntags: [новости]\n---\n\nТекст.\n',
    'blog/en/planned.md': '---\ntitle: Planned\ndate: 2026-03-05\n---\n\nLater.\n',
    'policies/en/refund.md': somePolicy,
    'policies/en/unknown.md': somePolicy,
  })
  world = await testApp({ CONTENT_DIR: folder })
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

const logged = () => world.logged.map((line) => JSON.parse(line) as { msg: string; file?: string; line?: number })

test('returns a shipped article as a tree and as HTML, without a session', async () => {
  const { body } = await world.api(articles.get, { url: 'trouble/channel-failed' })
  const { result } = body
  expect(result).toMatchObject({ url: 'channel-failed', url_inherit: 'trouble/channel-failed', language_iso: 'en' })
  expect(result._id).toMatch(/^[\da-f]{24}$/)
  expect((result.blocks as Block[]).map(({ is }) => is)).toContain('heading')
  expect(result.text).toContain('<li id="timeout">')
  expect((await world.api(articles.get, { url: 'channel-failed' })).body.result._id).toBe(result._id)
})

test('refuses an unknown page', async () => {
  for (const url of ['', 'nothing', 'start/index', '../en/start/obs', 'start', '__proto__', 'start/obs.md'])
    expect((await world.api(articles.get, { url })).error).toMatchObject({ name: 'PageNotFound' })
})

test('hides articles about plans where plans do not apply', async () => {
  const sections = async () => (await world.api(articles.structure, {})).body.result.map(({ url }) => url)
  const found = async () =>
    (await world.api(articles.search, { s: 'period', limit: 100 })).body.results.map(({ url_inherit }) => url_inherit)
  const operator = await newOperator(world)
  expect(await sections()).toContain('plans')
  expect(await found()).toContain('plans/periods')
  await world.api(settings.setBilling, { billing: 'off', reason: 'A test' }, { as: operator })
  expect(await sections()).not.toContain('plans')
  expect(await found()).not.toContain('plans/periods')
  expect((await world.api(articles.get, { url: 'plans/periods' })).error).toMatchObject({ name: 'PageNotFound' })
  await world.api(settings.setBilling, { billing: 'plans', reason: 'A test' }, { as: operator })
  expect((await world.api(articles.get, { url: 'plans/periods' })).body.result.url).toBe('periods')
})

/** Texts about something else: a planned broadcast, a renewed sign-in, a subscription to events. */
const others = /you plan a broadcast|Продление входа|轮询，可以订阅/

test('articles have no part about plans where plans do not apply', async () => {
  const operator = await newOperator(world)
  const read = async (url: string, language: Language) =>
    JSON.stringify((await world.api(articles.get, { url, language } as never)).body.result.blocks)
  expect(await read('trouble/channel-failed', 'en')).toContain('More channels are on than your plan allows')
  await world.api(settings.setBilling, { billing: 'off', reason: 'A test' }, { as: operator })
  const { result } = (await world.api(articles.structure, {})).body
  // Operators read there how to switch plans on.
  const urls = result
    .flatMap(({ connections = [] }) => connections.map(({ url_inherit }) => url_inherit))
    .filter((url) => url !== 'server/operating')
  expect(urls.length).toBeGreaterThan(25)
  const found: string[] = []
  for (const language of languages)
    for (const url of urls) {
      const texts = (await read(url, language)).match(/"(?:text|to)":"[^"]*"/g) ?? []
      const named = texts.filter((text) => planWords[language].test(text) && !others.test(text))
      found.push(...named.map((text) => `${language}/${url} ${text}`))
    }
  await world.api(settings.setBilling, { billing: 'plans', reason: 'A test' }, { as: operator })
  expect(found).toEqual([])
})

test('a file of the operator replaces the shipped one of the same path, and adds others', async () => {
  const { body } = await world.api(articles.get, { url: 'start/obs' })
  expect(body.result).toMatchObject({ title: 'Our OBS', text: '<p>The operator wrote this.</p>' })
  const rules = (await world.api(articles.get, { url: 'own/rules' })).body.result
  expect(rules.text).toMatch(/href="http:[^"]*\/help\/start\/obs"/)
  const { result } = (await world.api(articles.structure, {})).body
  expect(result.map(({ url }) => url)).toEqual(expect.arrayContaining(['start', 'trouble', 'own']))
  expect(result[0]).toMatchObject({ url: 'start', priority: 1, notion_parent_id: '' })
  expect(result.at(-1)).toMatchObject({ url: 'own', title: [{ language_iso: 'en', value: 'Our section' }] })
  expect(result.at(-1)?.connections?.map(({ url_inherit }) => url_inherit)).toContain('own/rules')
})

test('a text without a translation is in English, else in the language that it has', async () => {
  const rules = (await world.api(articles.get, { url: 'own/rules', language: 'ru' } as never)).body.result
  expect(rules).toMatchObject({ title: 'House rules', language_iso: 'en', alt_languages: ['en'] })
  const russian = (await world.api(articles.get, { url: 'own/only-russian' })).body.result
  expect(russian).toMatchObject({ language: 'russian', language_iso: 'ru' })
})

test('searches titles and text, with a place in the article', async () => {
  const found = async (s: string, language = 'en') =>
    (await world.api(articles.search, { s, language } as never)).body.results
  expect((await found('house rules'))[0]).toMatchObject({
    url_inherit: 'own/rules',
    text: expect.stringMatching(/^<p>Be kind/),
  })
  expect((await found('kindd'))[0]?.url_inherit).toBe('own/rules')
  expect((await found('stalled'))[0]).toMatchObject({ url_inherit: 'trouble/channel-failed', anchor: 'stalled' })
  expect((await found('русск', 'ru'))[0]?.url_inherit).toBe('own/only-russian')
  expect(await found('zzzzqqqq')).toEqual([])
  const all = (await world.api(articles.search, { limit: 1 })).body
  expect(all.results).toHaveLength(1)
  expect(all.total).toBeGreaterThan(2)
})

test('lists posts newest first, and a planned one from its date', async () => {
  const list = async (more = {}) => (await world.api(blogPages.list, more)).body
  expect((await list()).results.map(({ url }) => url)).toEqual(['second', 'first'])
  expect((await list({ tag: 'obs' })).results.map(({ url }) => url)).toEqual(['first'])
  expect((await list({ s: 'CHAT first' })).total).toBe(1)
  const [second, first] = (await list()).results
  expect(second).toMatchObject({ short_text: 'In short.', image: '', date_publish: '2026-02-20T00:00:00.000Z' })
  expect(first?.image).toMatch(/^\/content\/[\da-f]{32}\.png$/)
  const page = (await world.api(blogPages.get, { url: 'second', language: 'ru' } as never)).body
  expect(page).toMatchObject({ total: 1, results: [{ title: 'Вторая', alt_languages: ['en', 'ru'] }] })
  expect((await world.api(blogPages.get, { url: 'planned' })).body).toMatchObject({ total: 0, results: [] })
  const { results } = (await world.api(blogTags.list, {})).body
  expect(results.map(({ title, count_use }) => [title, count_use])).toEqual([
    ['news', 2],
    ['obs', 1],
  ])
})

/** Reads a feed by a strict XML parser, which throws on a malformed document. */
async function readFeed(address: string) {
  const { body, headers } = await world.app.inject(address)
  expect(headers['content-type']).toBe('application/rss+xml; charset=utf-8')
  const document = parseMarkup(body, 'application/xml')
  const texts = (name: string) => [...document.getElementsByTagName(name)].map(({ textContent }) => textContent)
  return { document, texts }
}

test('the feed is RSS 2.0 with the posts of the language', async () => {
  const { document, texts } = await readFeed('/blog/feed.xml')
  expect(document.documentElement.tagName).toBe('rss')
  expect(document.documentElement.getAttribute('version')).toBe('2.0')
  expect(texts('title')).toEqual(['Blog', 'Second <b>', 'First post'])
  expect(texts('content:encoded')[0]).toBe('<p>Long &amp; &quot;text&quot;.</p>')
  expect(texts('pubDate')).toEqual(['Fri, 20 Feb 2026 00:00:00 GMT', 'Sun, 01 Feb 2026 00:00:00 GMT'])
  expect(texts('guid')).toEqual(texts('link').slice(1))
  for (const link of texts('link')) expect(URL.canParse(link ?? '')).toBe(true)
  const russian = await readFeed('/blog/feed.xml?language=ru')
  expect(russian.texts('title')[1]).toBe('Вторая')
  const [self] = russian.document.getElementsByTagName('atom:link')
  expect(self?.getAttribute('href')).toMatch(/\/blog\/feed\.xml\?language=ru$/)
})

test('scenario 17: images have strict headers, and other names lead nowhere', async () => {
  const { results } = (await world.api(blogPages.list, { tag: 'obs' })).body
  const { headers, rawPayload } = await world.app.inject(results[0]?.image ?? '')
  expect(rawPayload).toEqual(somePng)
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  for (const name of ['x.png', '..%2f..%2fpackage.json', '%00', 'blog%2fen%2fdot.png', '__proto__'])
    expect((await world.app.inject(`/content/${name}`)).statusCode).toBe(404)
})

test('policies exist only where the operator supplies them', async () => {
  expect((await world.api(policies.structure, {})).body.results).toEqual([{ results: 'refund' }])
  const { result } = (await world.api(policies.get, { file_name: 'refund' })).body
  expect(result).toMatchObject({ title: 'Refunds', text: '<p>We refund within 14 days.</p>' })
  expect((await world.api(policies.get, { file_name: 'using-cookie' })).error?.name).toBe('PageNotFound')
})

test('the log names problems of files at the start', () => {
  expect(logged()).toContainEqual(
    expect.objectContaining({ file: 'policies/en/unknown.md', msg: expect.stringMatching(/No place for a text/) }),
  )
})

test('scenario 17: a changed file is read, and the log names file and line of what is not allowed', async () => {
  const outside = contentFolder({ 'secret.md': article('Secret', 'Secret.'), 'secret.png': somePng })
  writeContent(folder, {
    'help/en/own/rules.md': article(
      'New rules',
      '<script>alert(1)</script>\n\n![x](../../../../secret.png)\n\n![y](evil.svg)\n\n[z](data:text/html,x)',
    ),
    'help/en/own/evil.svg': '<svg onload="alert(1)"/>',
  })
  symlinkSync(join(outside, 'secret.md'), join(folder, 'help/en/own/link.md'))
  symlinkSync(outside, join(folder, 'help/en/own/out'))
  world.clock.advance(1000)
  const { result } = (await world.api(articles.get, { url: 'own/rules' })).body
  expect(result).toMatchObject({
    title: 'New rules',
    text: '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n<p>x</p>\n<p>y</p>\n<p>z</p>',
  })
  expect((await world.api(articles.get, { url: 'own/link' })).error?.name).toBe('PageNotFound')
  const at = (line: number, text: RegExp, file = 'help/en/own/rules.md') =>
    expect(logged()).toContainEqual(expect.objectContaining({ file, line, msg: expect.stringMatching(text) }))
  at(6, /HTML is shown as text/)
  at(8, /outside the folder/)
  at(10, /PNG or WebP/)
  at(12, /http, https, mailto or relative/)
  at(0, /leads out of the folder/, 'help/en/own/link.md')
  at(0, /leads out of the folder/, 'help/en/own/out')
  rmSync(outside, { recursive: true })
})

test('scenario 17: hostile posts and policies are text on the page, in the feed and in the search', async () => {
  const hostile =
    '<script>alert(1)</script>\u0008 ]]> <![CDATA[\n\n![picture](../../../secret.png) ![drawing](evil.svg)\n\n' +
    '[letter](data:text/html,<script>alert(2)</script>) [code](javascript:alert(3)) [file](../../policies/../../etc/passwd.md)'
  writeContent(folder, {
    'blog/en/hostile.md': `---\ntitle: Hostile <script>\ndate: 2026-02-21\ntags: ["<img src=x>"]\n---\n\n${hostile}\n`,
    'blog/en/evil.svg': '<svg onload="alert(1)"/>',
    'policies/en/privacy-notice.md': `---\ntitle: Hostile\n---\n\n${hostile}\n`,
    'help/en/own/hostile.md': article('Hostile', hostile),
  })
  world.clock.advance(1000)
  const post = (await world.api(blogPages.get, { url: 'hostile' })).body.results[0]
  const policy = (await world.api(policies.get, { file_name: 'privacy-notice' })).body.result
  const { texts } = await readFeed('/blog/feed.xml')
  const found = (await world.api(articles.search, { s: 'hostile alert' })).body.results[0]
  expect(texts('category')[0]).toBe('<img src=x>')
  for (const html of [post?.text, policy.text, texts('content:encoded')[0], found?.text]) {
    expect(html).toContain('&lt;script&gt;')
    const document = parseMarkup(html ?? '', 'text/html')
    expect([...document.querySelectorAll('script, img, svg, a, [onload], [onerror]')]).toEqual([])
  }
  expect(found?.snippet).toContain('<script>alert(1)</script>')
  for (const { is } of (post?.blocks ?? []) as Block[]) expect(is).toBe('paragraph')
  const at = (file: string, line: number, text: RegExp) =>
    expect(logged()).toContainEqual(expect.objectContaining({ file, line, msg: expect.stringMatching(text) }))
  at('blog/en/hostile.md', 7, /HTML is shown as text/)
  at('blog/en/hostile.md', 9, /PNG or WebP/)
  at('policies/en/privacy-notice.md', 7, /outside the folder/)
  at('policies/en/privacy-notice.md', 9, /http, https, mailto or relative/)
})

test('a folder that cannot be read stops the start with a sentence', async () => {
  await expect(testApp({ CONTENT_DIR: join(folder, 'missing') })).rejects.toThrow(/The folder of CONTENT_DIR/)
})
