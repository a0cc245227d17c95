import type { RouteObject } from 'react-router'
import { paths } from '#src/lib/paths.ts'

const title = { title: 'help:title' }

export const routes: RouteObject[] = [
  { path: paths.help(), handle: title, lazy: async () => ({ Component: (await import('./help-page.tsx')).HelpPage }) },
  {
    path: `${paths.help()}/:section`,
    handle: title,
    lazy: async () => ({ Component: (await import('./help-page.tsx')).HelpPage }),
  },
  {
    path: `${paths.help()}/:section/:slug`,
    handle: title,
    lazy: async () => ({ Component: (await import('./article-page.tsx')).ArticlePage }),
  },
  {
    path: paths.blog(),
    handle: { title: 'help:blog.title' },
    lazy: async () => ({ Component: (await import('./blog-page.tsx')).BlogPage }),
  },
  {
    path: paths.blog(':slug'),
    handle: { title: 'help:blog.title' },
    lazy: async () => ({ Component: (await import('./post-page.tsx')).PostPage }),
  },
  {
    path: paths.policy(':name'),
    handle: { title: 'help:policies.title' },
    lazy: async () => ({ Component: (await import('./policy-page.tsx')).PolicyPage }),
  },
]
