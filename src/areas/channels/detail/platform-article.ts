import { factsOf, type PlatformType } from '#contract/platforms/platforms.ts'
import { type Article, articles } from '#src/lib/articles.ts'

/** Article of the handbook about a platform; platforms with a key share one. */
export const articleOf = (type: PlatformType): Article =>
  articles.find((article) => article === factsOf(type).article) ?? 'platforms/by-key'
