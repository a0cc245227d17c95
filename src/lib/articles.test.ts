import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { languages } from '#contract/core/codes.ts'
import { articles } from './articles.ts'

const filesIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => pattern.test(file))

const listed: readonly string[] = articles

test('lists the articles of the handbook', () => {
  expect(new Set(listed).size).toBe(listed.length)
  const written = filesIn('handbook/en', /^[\w-]+\/[\w-]+\.md$/)
    .map((file) => file.slice(0, -'.md'.length))
    .filter((path) => !path.endsWith('/index'))
  expect(written.filter((path) => !listed.includes(path))).toEqual([])
})

test('every article that a page names exists in every language', () => {
  const used = filesIn('src', /^(?:app|areas|components)\/.*\.tsx?$/)
    .map((file) => readFileSync(`src/${file}`, 'utf8'))
    .flatMap((source) => [...source.matchAll(/'([\w-]+\/[\w-]+)'|article="([^"]+)"/g)])
    .map(([, quoted, attribute]) => quoted ?? attribute ?? '')
    .filter((path) => listed.includes(path))
  expect(used.length).toBeGreaterThan(10)
  const missing = [...new Set(used)].flatMap((path) =>
    languages.map((language) => `handbook/${language}/${path}.md`).filter((file) => !existsSync(file)),
  )
  expect(missing).toEqual([])
})

test.for(articles)('a page links to %s', (article) => {
  const pages = filesIn('src', /^(?:app|areas|components)\/.*(?<!\.test)\.tsx?$/).map((file) => `src/${file}`)
  const isLinked = [...pages, ...globSync('contract/platforms/*/facts.ts')].some((file) => {
    const source = readFileSync(file, 'utf8')
    return source.includes(`article="${article}"`) || source.includes(`'${article}'`)
  })
  expect(isLinked).toBe(true)
})

test.each(languages)('every article has a link text in %s', (language) => {
  const texts = JSON.parse(readFileSync(`locales/${language}/help-links.json`, 'utf8')) as Record<
    string,
    Record<string, string>
  >
  const named = Object.entries(texts).flatMap(([section, slugs]) =>
    Object.keys(slugs).map((slug) => `${section}/${slug}`),
  )
  expect(named.toSorted()).toEqual(listed.toSorted())
})
