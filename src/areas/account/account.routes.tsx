import type { RouteObject } from 'react-router'
import { paths } from '#src/lib/paths.ts'

export const routes: RouteObject[] = [
  {
    path: paths.account(),
    lazy: async () => ({ Component: (await import('./account-page.tsx')).AccountPage }),
    children: [
      {
        index: true,
        handle: { title: 'account:profile.title' },
        lazy: async () => ({ Component: (await import('./profile-part.tsx')).ProfilePart }),
      },
      {
        path: paths.account('security'),
        handle: { title: 'account:security.title' },
        lazy: async () => ({ Component: (await import('./security-part.tsx')).SecurityPart }),
      },
      {
        path: paths.account('sessions'),
        handle: { title: 'account:sessions.title' },
        lazy: async () => ({ Component: (await import('./sessions-part.tsx')).SessionsPart }),
      },
      {
        path: paths.account('socials'),
        handle: { title: 'account:signIn.title' },
        lazy: async () => ({ Component: (await import('./sign-in-part.tsx')).SignInPart }),
      },
      {
        path: paths.account('tokens'),
        handle: { title: 'account:tokens.title' },
        lazy: async () => ({ Component: (await import('./api-tokens-part.tsx')).ApiTokensPart }),
      },
      {
        path: paths.account('apps'),
        handle: { title: 'apps:title' },
        lazy: async () => ({ Component: (await import('./apps-part.tsx')).AppsPart }),
      },
    ],
  },
]
