// Generated from src/areas/*/*-page.tsx by scripts/house/registries.ts; do not edit.

/** Pages that declare their own route, by its path. */
export const pages = {
  '/p/:projectId/analytics': () => import('#src/areas/analytics/analytics-page.tsx'),
  '/p/:projectId/media': () => import('#src/areas/media/media-page.tsx'),
  '/reference': () => import('#src/areas/reference/reference-page.tsx'),
  '/reference/:group': () => import('#src/areas/reference/group-page.tsx'),
} as const
