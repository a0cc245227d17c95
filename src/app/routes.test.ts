// Every address that the path builder spells leads to a page with a title, and nothing else does.
import { matchRoutes } from 'react-router'
import { expect, test } from 'vitest'
import { paths } from '#src/lib/paths.ts'
import { routes } from './routes.tsx'

const built = Object.entries(paths).map(([name, path]): [string, string] => [
  name,
  name === 'referenceGroup' ? paths.referenceGroup('tariffs.restream') : (path as (id?: number) => string)(7),
])
// Without a project these take something else, or nothing.
const addresses = built.map(([name, path]): [string, string] =>
  name === 'signIn' || name === 'account' ? [name, name === 'signIn' ? paths.signIn() : paths.account()] : [name, path],
)

test.each(addresses)('%s (%s) is a page', (name, path) => {
  const matches = matchRoutes(routes, path) ?? []
  expect(matches.at(-1)?.route.path).not.toBe('*')
  const titles = matches.map(({ route }) => (route.handle as { title?: string } | undefined)?.title)
  if (name !== 'root') expect(titles.filter(Boolean).at(-1)).toMatch(/^[a-z-]+:[\w.-]+$/i)
})

test.each(['/nowhere', '/p/7/nowhere', '/p/7/tariffs/nowhere/deeper'])('%s is no page', (path) => {
  expect(matchRoutes(routes, path)?.at(-1)?.route.path).toBe('*')
})
