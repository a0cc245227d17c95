import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { languages } from '#contract/core/codes.ts'
import { type Article, articles } from './articles.ts'

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

/** Files of the pages that link to each article. */
const linkedFrom: Readonly<Record<Article, string>> = {
  'start/first-broadcast': 'app/home/off-air/check-list.tsx',
  'start/obs': 'areas/ingest/guide-card.tsx',
  'start/encoders': 'areas/ingest/guide-card.tsx',
  'start/srt-rtmp': 'areas/ingest/guide-card.tsx',
  'start/quality': 'app/home/on-air/signal-card.tsx',
  'trouble/channel-failed': 'app/home/on-air/channel-trouble.tsx',
  'trouble/connection-drops': 'app/home/off-air/check-list.tsx',
  'platforms/twitch': 'areas/channels/detail/platform-article.ts',
  'platforms/youtube': 'areas/channels/detail/platform-article.ts',
  'platforms/vk-ok': 'areas/channels/detail/platform-article.ts',
  'platforms/kick-trovo': 'areas/channels/detail/platform-article.ts',
  'platforms/telegram': 'areas/channels/detail/platform-article.ts',
  'platforms/by-key': 'areas/channels/detail/platform-article.ts',
  'platforms/custom': 'areas/channels/detail/platform-article.ts',
  'chat/all-platforms': 'areas/chat/side-panel.tsx',
  'chat/overlay': 'areas/chat/side-panel.tsx',
  'chat/moderation': 'areas/chat/side-panel.tsx',
  'chat/youtube-quota': 'areas/chat/missing-condition.tsx',
  'notifications/settings': 'areas/notifications/matrix-card.tsx',
  'notifications/telegram-bot': 'areas/notifications/telegram-card.tsx',
  'team/roles': 'areas/projects/members-part.tsx',
  'team/sharing': 'areas/channels/sharing/shared-part.tsx',
  'plans/periods': 'areas/tariffs/tariffs-page.tsx',
  'stream/recordings': 'areas/broadcasts/recordings-card.tsx',
  'stream/transcoders': 'areas/ingest/transcoders-part.tsx',
  'stream/pull-keys': 'areas/ingest/pull-part.tsx',
  'server/operating': 'areas/operator/general-part.tsx',
  'server/api': 'areas/reference/reference-page.tsx',
}

test.for(Object.entries(linkedFrom))('%s is linked from %s', ([article, file]) => {
  const source = readFileSync(`src/${file}`, 'utf8')
  expect(source.includes(`article="${article}"`) || source.includes(`'${article}'`)).toBe(true)
})

test.each(languages)('every article has a link text in %s', (language) => {
  const texts = JSON.parse(readFileSync(`src/locales/${language}/help-links.json`, 'utf8')) as Record<
    string,
    Record<string, string>
  >
  const named = Object.entries(texts).flatMap(([section, slugs]) =>
    Object.keys(slugs).map((slug) => `${section}/${slug}`),
  )
  expect(named.toSorted()).toEqual(listed.toSorted())
})
