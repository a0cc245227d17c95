// Tests of a list with pages: rows, empty pages, the way back.
import '@testing-library/jest-dom/vitest'
import type { UseQueryResult } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { startI18n } from '#src/lib/i18n.ts'
import { PagedList } from './paged-list.tsx'

beforeAll(() => startI18n('en'))
afterEach(cleanup)

const open = (page: number, results: readonly string[], total: number) =>
  render(
    <MemoryRouter>
      <Suspense>
        <PagedList
          query={
            { data: { results, total }, error: null, isFetching: false } as UseQueryResult<{
              results: readonly string[]
              total: number
            }>
          }
          failed="failed"
          height={10}
          page={page}
          size={2}
          to={(to) => `?page=${to}`}
          empty={<p>nothing</p>}
          foot={<p>export</p>}
        >
          {(rows) => <p>{rows.join(', ')}</p>}
        </PagedList>
      </Suspense>
    </MemoryRouter>,
  )

test('shows the rows of a page with its range and what belongs beside it', async () => {
  open(2, ['c'], 3)
  await screen.findByText('c')
  expect(screen.getByText('export')).toBeInTheDocument()
  expect(await screen.findByRole('link', { name: 'Previous page' })).toHaveAttribute('href', '/?page=1')
  expect(screen.queryByRole('link', { name: 'Next page' })).toBeNull()
})

test('shows the empty state alone where the list has no rows', async () => {
  open(1, [], 0)
  await screen.findByText('nothing')
  expect(screen.queryByText('export')).toBeNull()
  expect(screen.queryByRole('navigation')).toBeNull()
})

test('leads back from a page beyond the end, without a range', async () => {
  open(9, [], 3)
  await screen.findByText('nothing')
  const pages = await screen.findByRole('navigation')
  expect(pages.textContent).toBe('')
  expect(screen.getByRole('link', { name: 'Previous page' })).toHaveAttribute('href', '/?page=8')
})
