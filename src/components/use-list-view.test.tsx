import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { createRoot, type Root } from 'react-dom/client'
import { pageOf, paramsOf } from '#src/lib/page-params.ts'
import { useListView } from './use-list-view.ts'

interface View {
  readonly query: string
  readonly right: string
  readonly page: number
}

let shown: ReturnType<typeof useListView<View>>
function List() {
  shown = useListView<View>(
    (params) => ({ query: params.get('q') ?? '', right: params.get('right') ?? '', page: pageOf(params) }),
    (view, change) => {
      const { query, right, page } = { ...view, page: 1, ...change }
      return paramsOf({ q: query, right, page })
    },
  )
  return null
}

let root: Root
beforeEach(() => {
  // Renders when React decides to, as in a browser. With `act` each change would be rendered at once.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  root = createRoot(document.createElement('div'))
})
afterEach(() => root.unmount())

/** Ends all that waits for promises, and no timer or message of React. */
async function promises(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

test('a change is shown before the next event, which keeps it', async () => {
  const router = createMemoryRouter([{ path: '*', element: <List /> }], {
    initialEntries: ['/?right=operators&page=3'],
  })
  root.render(<RouterProvider router={router} />)
  await expect.poll(() => shown?.view.page).toBe(3)
  shown.change({ right: '' })
  await promises()
  expect(shown.view).toEqual({ query: '', right: '', page: 1 })
  shown.change({ query: 'Zoe' })
  await promises()
  expect(shown.view).toEqual({ query: 'Zoe', right: '', page: 1 })
  expect(router.state.location.search).toBe('?q=Zoe')
})
