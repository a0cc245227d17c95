// The `test` of page tests: the real routes, queries and session in jsdom, with the real service in this process. One
// service per file, a new user with a project per test.
import '@testing-library/jest-dom/vitest'
import './owner-stacks.ts'
import { cleanup, configure, getConfig, render, screen } from '@testing-library/react'
import { userEvent, type UserEvent } from '@testing-library/user-event'
import i18next from 'i18next'
import { Fragment, StrictMode } from 'react'
import { RouterProvider } from 'react-router/dom'
import { expect, test as base, vi } from 'vitest'
import type { Input, Operation, Output } from '#contract/core/operation.ts'
import type { Person, World } from '#server/testing/test-app.ts'
import { testApp } from '#server/testing/test-app.ts'
import { boot } from '#src/app/boot.ts'
import { createRouter } from '#src/app/routes.tsx'
import { startI18n } from '#src/lib/i18n.ts'
import type { AuthSession } from '#src/session/types.ts'
import { forgetProjects } from '#src/stores/selected-project.ts'

declare const jsdom: { reconfigure(settings: { url: string }): void }

/** Timeout of a response and of a page that loads on demand, ms; a busy machine needs most of it. */
const patienceMs = 20_000
configure({
  asyncUtilTimeout: patienceMs,
  // Without scripts and styles to pass over: a page has none, and `matches` for each element takes time.
  defaultIgnore: '',
  // A search that repeats needs no text of the page: its last error gets it.
  getElementError: (message) =>
    new Error(Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') ? `${message}` : withPage(message)),
})

/** Adds the text of the page to a message, one line per text node. */
function withPage(message: string | null): string {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const lines: string[] = []
  while (walker.nextNode()) lines.push(walker.currentNode.nodeValue ?? '')
  return `${message}\n\nThe page:\n${lines.join('\n')}`
}

export interface Service extends World {
  readonly url: string
}

type Tokens = Pick<Person, 'accessToken' | 'refreshToken'>
type Handler = (send: () => Promise<Response>, url: URL) => Promise<Response> | Response

export interface PageFixtures {
  /** Environment variables of the service, beside those of `testApp`; `testWith` sets them. */
  readonly settings: Readonly<Record<string, string>>
  readonly service: Service
  /** The user of this test. */
  readonly person: Person
  /** Creates another user. */
  readonly another: (name?: string) => Promise<Person>
  readonly user: UserEvent
  /** Replaces the content of a field, found by its label, as a paste does: one event where typing has four for each letter. */
  readonly fill: (label: string | RegExp, text: string) => Promise<void>
  /** Loads a URL with the user of the test signed in, or another one, or none; replaces the open page. */
  readonly open: (path: string, as?: Tokens | null) => Promise<void>
  /** Answers requests of the page to an operation in place of the service; `send` forwards the request. */
  readonly answer: (op: Operation, handle: Handler | null) => void
  /**
   * Calls an operation as the user of the test, or as another one.
   * @throws Error when the service refuses
   */
  readonly api: <O extends Operation>(op: O, input: Input<O>, as?: Person) => Promise<Output<O>>
}

/**
 * The first test of each service, also when it is repeated: its pages render twice, in StrictMode, which finds impure renders and
 * effects without a clean-up. In all tests that takes an eighth of the processor time.
 */
const strictTests = new WeakMap<Service, string>()

export const test = base.extend<PageFixtures>({
  settings: [{}, { scope: 'file' }],
  service: [
    async ({ settings }, use) => {
      const world = await testApp(settings)
      world.clock.set(new Date())
      const { url } = await world.app.listen()
      await use({ ...world, url })
      await dropConnections()
      await world.close()
    },
    { scope: 'file' },
  ],

  person: async ({ service }, use) => use(await service.user('Robin')),
  another: ({ service }, use) => use((name) => service.user(name)),
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of the fixtures
  user: async ({}, use) => use(userEvent.setup({ delay: null })),

  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the names of the fixtures
  answer: async ({}, use) => {
    const handlers = new Map<string, Handler>()
    const { fetch } = globalThis
    vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
      const send = () => fetch(input, init)
      const url = new URL(input)
      const handle = handlers.get(url.pathname)
      return handle ? handle(send, url) : send()
    })
    await use((op, handle) => {
      if (handle) handlers.set(op.path, handle)
      else handlers.delete(op.path)
    })
  },

  fill: ({ user }, use) =>
    use(async (label, text) => {
      const field = await screen.findByLabelText(label)
      await user.clear(field)
      if (text !== '') await user.paste(text)
    }),

  open: async ({ service, person, settings, task }, use) => {
    if (!strictTests.has(service)) strictTests.set(service, task.id)
    const Mode = strictTests.get(service) === task.id ? StrictMode : Fragment
    const errors = vi.spyOn(console, 'error')
    const nothing = async () => {}
    let close = nothing
    await use(async (path, as = person) => {
      await close()
      close = nothing
      const policies = 'CONTENT_DIR' in settings ? await policiesOf(service) : []
      close = await openPage(service.url, path, as, { policies, Mode })
    })
    await close()
    localStorage.clear()
    sessionStorage.clear()
    forgetProjects()
    await i18next.changeLanguage('en')
    if (errors.mock.calls.length > 0) throw new Error(`Errors in the console: ${errors.mock.calls.join('\n')}`)
  },

  api: ({ service, person }, use) =>
    use(async (op, input, as = person) => {
      const { status, body, error } = await service.api(op, input, { as, headers: { host: new URL(service.url).host } })
      if (status >= 300) throw new Error(`${op.id} answered ${status}: ${error?.msg}`)
      return body
    }),
})

/**
 * Returns the `test` of a file whose service has settings of its own. Files of a worker share modules: `test.override`
 * would change the service of later files.
 * @example const test = testWith({ BILLING: 'off' })
 */
export const testWith = (settings: Readonly<Record<string, string>>) =>
  test.extend<Pick<PageFixtures, 'settings'>>({ settings: [settings, { scope: 'file' }] })

test.override = () => {
  throw new Error('`override` changes later files of the worker: use `testWith`.')
}

/**
 * Closes the connections that `fetch` keeps open: the service waits a minute for a connection that carried no request.
 */
async function dropConnections(): Promise<void> {
  const key = Symbol.for('undici.globalDispatcher.1')
  const agent: { constructor: new () => object; destroy(): Promise<void> } = Reflect.get(globalThis, key)
  Reflect.set(globalThis, key, new agent.constructor())
  await agent.destroy()
}

/** Returns the policies that the service names in its configuration. */
async function policiesOf({ app }: Service): Promise<readonly string[]> {
  const { policies = [] } = (await app.inject('/config.json')).json<{ policies?: readonly string[] }>()
  return policies
}

/**
 * Loads a URL as the browser does and waits for its heading.
 * @returns a function that closes the page
 */
async function openPage(
  origin: string,
  path: string,
  as: Tokens | null,
  { policies, Mode }: { readonly policies: readonly string[]; readonly Mode: typeof StrictMode },
): Promise<() => Promise<void>> {
  jsdom.reconfigure({ url: new URL(path, origin).href })
  if (!i18next.isInitialized) await startI18n('en')
  const session = boot({ baseUrl: origin, app: 'site', language: 'en', realtimeUrl: null, signIn: [], policies })
  await signIn(session, as)
  const router = createRouter()
  render(
    <Mode>
      <RouterProvider router={router} />
    </Mode>,
  )
  const close = async () => {
    cleanup()
    router.dispose()
    await session.dispose()
  }
  try {
    await screen.findByRole('heading', { level: 1 })
  } catch (error) {
    // Else the next test, and the second run of this one, would find two pages.
    await close()
    throw error
  }
  return close
}

/** Stores the tokens of a user where the session keeps them, or ends the current session. */
async function signIn(session: AuthSession, as: Tokens | null): Promise<void> {
  await session.initialize()
  if (as) await session.setSession(as)
  else await session.signOut({ notifyServer: false })
}

export { expect, screen }
