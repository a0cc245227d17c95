import type { PlatformType } from '#contract/entities/platform-types.ts'
import type { Article } from '#src/lib/articles.ts'

const articles: Partial<Record<PlatformType, Article>> = {
  twitch: 'platforms/twitch',
  youtube: 'platforms/youtube',
  vk: 'platforms/vk-ok',
  vkvideolive: 'platforms/vk-ok',
  ok: 'platforms/vk-ok',
  kick: 'platforms/kick-trovo',
  trovo: 'platforms/kick-trovo',
  telegram: 'platforms/telegram',
  custom: 'platforms/custom',
  srt: 'platforms/custom',
}

/** Article of the handbook about a platform; platforms with a key share one. */
export const articleOf = (type: PlatformType): Article => articles[type] ?? 'platforms/by-key'
