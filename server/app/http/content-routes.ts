// Images of texts and the feed of the blog: no operations, because they are no JSON.
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Language } from '#contract/core/wire.ts'
import { languages } from '#contract/core/codes.ts'
import cn from '#locales/cn/help.json' with { type: 'json' }
import en from '#locales/en/help.json' with { type: 'json' }
import ru from '#locales/ru/help.json' with { type: 'json' }
import type { Services } from '#server/core/context.ts'
import { NotFoundError } from '#server/core/errors.ts'
import { originOf } from '#server/core/http.ts'
import { languageTags } from './html.ts'

const titles: Readonly<Record<Language, string>> = { en: en.blog.title, ru: ru.blog.title, cn: cn.blog.title }
/** Posts in the feed. */
const feedMax = 20

/** Headers of images: no script, no frame, no other type. */
const imageHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Serves `/content/<hash>.png` and `.webp`, and `/blog/feed.xml?language=`. */
export function serveContent(app: FastifyInstance, services: Services): void {
  const load = async () => {
    const { contentOf } = await import('#server/content/content.ts')
    return contentOf(services).library()
  }

  app.get<{ Params: { readonly name: string } }>(
    '/content/:name',
    { config: { operation: 'contentImage' } },
    async (request, reply) => {
      const image = (await load()).images.get(request.params.name)
      const bytes = image && (await readFile(image.absolute).catch(() => null))
      if (!image || !bytes) throw new NotFoundError()
      return reply.headers(imageHeaders).type(image.type).send(bytes)
    },
  )

  app.get<{ Querystring: { readonly language?: unknown } }>(
    '/blog/feed.xml',
    { config: { operation: 'blogFeed' } },
    async (request, reply) => {
      const language = languages.find((each) => each === request.query.language) ?? 'en'
      const [library, { feedOf }, { postsOf }] = await Promise.all([
        load(),
        import('#server/content/feed.ts'),
        import('#server/content/views.ts'),
      ])
      const posts = postsOf(library, services.clock.now(), language).slice(0, feedMax)
      const origin = originOf(request, services.config.publicUrl)
      const self = `${origin}/blog/feed.xml?language=${language}`
      const feed = feedOf(posts, { title: titles[language], code: languageTags[language], self, origin })
      return reply.header('cache-control', 'no-cache').type('application/rss+xml; charset=utf-8').send(feed)
    },
  )
}
