import { type LoaderFunctionArgs, redirect, type RouteObject } from 'react-router'
import { paths, productLines } from '#src/lib/paths.ts'

/** Route of the tariffs: one page for all product lines, with restream as its index. */
export const routes: RouteObject[] = [
  {
    path: 'tariffs/:line?',
    handle: { title: 'common:nav.plans' },
    loader: checkLine,
    lazy: async () => ({ Component: (await import('./tariffs-page.tsx')).TariffsPage }),
  },
]

function checkLine({ params: { projectId = '', line }, request }: LoaderFunctionArgs) {
  if (line === 'restream') return redirect(paths.tariffs(projectId) + new URL(request.url).search)
  if (line !== undefined && !productLines.some((name) => name === line)) throw new Response(null, { status: 404 })
  return null
}
