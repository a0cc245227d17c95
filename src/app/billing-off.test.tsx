// Where plans do not apply, no page names plans, money or prices, in any language. New pages are covered: the walk is over the
// table of routes.
import type { RouteObject } from 'react-router'
import { vi } from 'vitest'
import { webhooks } from '#contract/areas/notifications/webhooks.ts'
import { languages } from '#contract/core/codes.ts'
import { newChannel } from '#server/testing/channels.ts'
import { planWords } from '#server/testing/plan-words.ts'
import { newOperator } from '#server/testing/test-app.ts'
import { changeLanguage } from '#src/lib/i18n.ts'
import { paths } from '#src/lib/paths.ts'
import { expect, screen, testWith } from '#src/testing/page-test.tsx'
import { routes } from './routes.tsx'

const test = testWith({ BILLING: 'off' })

/** Texts about something else. */
const others: readonly RegExp[] = [/RSS 订阅/]

/** Addresses that keep such words, each with the reason. */
const kept: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^\/reference/, 'lists every operation of the API'],
  [/^\/operator\/general$/, 'operators switch plans on here'],
]

const outside = ['/', '/sign-in', '/invite', '/channel-invite', '/auth/callback', '/connect/expired', '/dev/kit']

/** Addresses of the routes. */
function addressesOf(list: readonly RouteObject[], base = ''): string[] {
  return list.flatMap(({ path = '', index, children }) => {
    const own = path.startsWith('/') ? path : [base === '/' ? '' : base, path].filter(Boolean).join('/')
    const here = `/${own.replace(/^\/+/, '')}`
    return children ? addressesOf(children, here) : index || path ? [here] : []
  })
}

/** Texts that a user or a screen reader meets. */
function textsOf(): string[] {
  const lines = [document.title]
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    if (node instanceof Element)
      lines.push(...['aria-label', 'title', 'placeholder', 'alt'].map((name) => node.getAttribute(name) ?? ''))
    else lines.push(node.nodeValue ?? '')
  }
  return lines.filter((line) => line.trim() !== '')
}

/** Counts the requests under way, and waits until there are none. */
function watchRequests() {
  let underWay = 0
  const { fetch } = globalThis
  vi.stubGlobal('fetch', async (...about: Parameters<typeof fetch>) => {
    underWay++
    try {
      return await fetch(...about)
    } finally {
      underWay--
    }
  })
  return async () => {
    let quiet = 0
    await expect
      .poll(() => (quiet = underWay === 0 && document.querySelector('h1') ? quiet + 1 : 0), { interval: 20 })
      .toBeGreaterThan(4)
  }
}

test('no page names plans, money or prices', { timeout: 300_000 }, async ({ open, person, service, api }) => {
  const channelId = await newChannel(service, person)
  await api(webhooks.add, { project_id: person.projectId, url: 'https://example.com/hook' })
  const operator = await newOperator(service)
  const settled = watchRequests()
  const found: string[] = []
  const walked = new Set<string>()
  const fill = (path: string, projectId: number) =>
    path
      .replace(':projectId', String(projectId))
      .replace(':channelId', String(channelId))
      .replace(':line?', 'storage')
      .replace(/\/\*$/, '')
      .replaceAll(/:\w+\??/g, '1')
  for (const who of [person, operator]) {
    await open(paths.home(who.projectId), who)
    const isOperator = who === operator
    const mine = addressesOf(routes).filter(
      (path) => path.startsWith('/operator') === isOperator || path === '/p/:projectId',
    )
    for (const path of new Set(mine.map((one) => fill(one, who.projectId)))) {
      if (outside.includes(path)) continue
      walked.add(path)
      history.pushState({ idx: history.length }, '', path)
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
      for (const language of languages) {
        await changeLanguage(language)
        await settled()
        if (kept.some(([one]) => one.test(location.pathname))) continue
        for (const line of textsOf())
          if (planWords[language].test(line) && !others.some((one) => one.test(line)))
            found.push(`${path} (${location.pathname}) ${language}: ${line.slice(0, 120)}`)
      }
    }
  }
  expect(walked.size).toBeGreaterThan(40)
  expect([...new Set(found)]).toEqual([])
})

test('the palette and its articles name none either', async ({ open, user, service }) => {
  const operator = await newOperator(service)
  await open(paths.home(operator.projectId), operator)
  const settled = watchRequests()
  for (const language of languages) {
    await changeLanguage(language)
    await user.keyboard('{Control>}k{/Control}')
    await screen.findByRole('combobox')
    await settled()
    expect(screen.getAllByRole('option').length).toBeGreaterThan(40)
    expect(textsOf().filter((line) => planWords[language].test(line))).toEqual([])
    await user.keyboard('{Escape}')
  }
})
