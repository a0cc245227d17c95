import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useLayoutEffect } from 'react'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { createRoot, type Root } from 'react-dom/client'
import { pageOf, paramsOf } from '#src/lib/page-params.ts'
import { useListView } from './use-list-view.ts'

interface View {
  readonly query: string
  readonly right: string
  readonly page: number
}

const seen: ReturnType<typeof useListView<View>>[] = []
const shown = () => seen.at(-1)
function List() {
  const list = useListView<View>(
    (params) => ({ query: params.get('q') ?? '', right: params.get('right') ?? '', page: pageOf(params) }),
    (view, change) => {
      const { query, right, page } = { ...view, page: 1, ...change }
      return paramsOf({ q: query, right, page })
    },
  )
  useLayoutEffect(() => void seen.push(list))
  return null
}

let root: Root
beforeEach(() => {
  // Renders when React decides to, as in a browser. With `act` each change would be rendered at once.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  root = createRoot(document.createElement('div'))
})
afterEach(() => root.unmount())

test('a second change before the page is rendered keeps the first', async () => {
  history.replaceState(null, '', '/?right=operators&page=3')
  const router = createBrowserRouter([{ path: '*', element: <List /> }])
  root.render(<RouterProvider router={router} />)
  await expect.poll(() => shown()?.view.page).toBe(3)
  const list = shown()
  list?.change({ right: '' })
  list?.change({ query: 'Zoe' })
  await expect.poll(() => shown()?.view).toEqual({ query: 'Zoe', right: '', page: 1 })
  expect(router.state.location.search).toBe('?q=Zoe')
  router.dispose()
})
