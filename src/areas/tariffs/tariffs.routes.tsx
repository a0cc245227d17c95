import type { RouteObject } from 'react-router'
import { productLines } from '#contract/entities/plan.ts'

/** The tariffs of a project, one page for all product lines; restream when none is named. */
export const routes: RouteObject[] = [
  {
    path: 'tariffs/:line?',
    handle: { title: 'tariffs:title' },
    loader: checkLine,
    lazy: async () => ({ Component: (await import('./tariffs-page.tsx')).TariffsPage }),
  },
]

function checkLine({ params: { line } }: { params: { line?: string } }) {
  if (line !== undefined && !productLines.some((name) => name === line)) throw new Response(null, { status: 404 })
  return null
}
