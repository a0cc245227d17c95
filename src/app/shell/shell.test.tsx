// The frame around every page: navigation, themes, languages, switcher, focus.
import { within } from '@testing-library/react'
import { vi } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { languages } from '#contract/core/codes.ts'
import { makeOperator, newOperator } from '#server/testing/test-app.ts'
import { changeLanguage } from '#src/lib/i18n.ts'
import { paths } from '#src/lib/paths.ts'
import { button, dialog } from '#src/testing/find.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

/** A link of the navigation; the first of its two forms. */
const nav = (name: string): HTMLElement => {
  const [rail = document.body] = screen.getAllByRole('navigation', { name: 'Pages' })
  return within(rail).getByRole('link', { name })
}

test('reaches every page from the navigation and titles each', async ({ open, user, person }) => {
  await open(paths.home(person.projectId))
  const titles = new Set<string>()
  const [rail = document.body] = screen.getAllByRole('navigation', { name: 'Pages' })
  const all = () =>
    within(rail)
      .getAllByRole('link')
      .map(({ textContent }) => textContent)
  const names = [
    'Channels',
    'Stream setup',
    'Broadcasts',
    'Media',
    'Chat',
    'Analytics',
    'Plans & billing',
    'Project',
    'Help',
  ]
  await expect.poll(all).toEqual(['Home', ...names])
  for (const name of names) {
    await user.click(nav(name))
    await expect.poll(() => nav(name)).toHaveAttribute('aria-current', 'page')
    await screen.findByRole('heading', { level: 1 })
    await expect.poll(() => document.title.endsWith(' · Relaydeck') && !titles.has(document.title)).toBe(true)
    titles.add(document.title)
  }
  history.back()
  await expect.poll(() => document.title).toBe('Project · Relaydeck')
})

test('has its navigation on a page without a project, in a browser that has opened none', async ({ open }) => {
  await open(paths.reference())
  await expect.poll(() => screen.queryAllByRole('link', { name: 'Channels' }).length).toBeGreaterThan(0)
})

test('has one entry for plans and money, also on the tabs of billing', async ({ open, user, person }) => {
  await open(paths.billing(person.projectId, 'history'))
  await screen.findByRole('heading', { level: 1, name: 'Plans & billing' })
  expect(nav('Plans & billing')).toHaveAttribute('aria-current', 'page')
  // The row of tabs is another element once the part has loaded.
  const tab = (name: string) => within(screen.getByRole('main')).findByRole('link', { name })
  await user.click(await tab('Restream'))
  await expect.poll(() => location.pathname).toBe(paths.tariffs(person.projectId))
  await user.click(await tab('Payouts'))
  await expect.poll(() => location.pathname).toBe(paths.billing(person.projectId, 'payouts'))
})

test('shows Administration to operators only', async ({ open, user, person, service }) => {
  await open(paths.home(person.projectId))
  await screen.findByRole('heading', { level: 1, name: 'Home' })
  expect(screen.queryByRole('link', { name: 'Administration' })).toBeNull()
  const operator = await newOperator(service)
  await open(paths.home(operator.projectId), operator)
  await expect.poll(() => screen.queryAllByRole('link', { name: 'Administration' }).length).toBe(1)
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox'), 'administration')
  await user.click((await screen.findAllByRole('option'))[0] ?? document.body)
  await expect.poll(() => location.pathname).toBe(paths.operator())
})

test('opens pages from the palette', async ({ open, user, person }) => {
  await open(paths.home(person.projectId))
  await button('Search pages and actions')
  const search = async (words: string) => {
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox'), words)
  }
  await search('plans')
  await screen.findAllByRole('option')
  await user.keyboard('{Enter}')
  await expect.poll(() => location.pathname).toBe(paths.tariffs(person.projectId))
  await search('transcoders')
  await expect
    .poll(() => screen.queryAllByRole('option').map(({ textContent }) => textContent))
    .toEqual(['TranscodersStream setup', 'Transcoders: when and whichHelp', 'Graphics cards for transcodersHelp'])
  await user.keyboard('{Enter}')
  await expect.poll(() => location.pathname).toBe(paths.ingest(person.projectId, 'transcoders'))
  await search('webhooks')
  await user.click(await screen.findByRole('option', { name: /^Webhooks/ }))
  await expect.poll(() => location.pathname).toBe(paths.notifications(person.projectId, 'webhooks'))
  await search('nothing matches this')
  await screen.findByText('No matches')
  await user.keyboard('{Escape}')
  await expect.poll(() => screen.queryByRole('combobox')).toBeNull()
})

test('finds pages, settings, channels, articles and languages by their names and by other words', async ({
  open,
  user,
  person,
  api,
}) => {
  const stream = { rtmp_url: 'rtmp://live.twitch.tv/app', stream_key: 'live_One' }
  await api(addChannel.any, { project_id: person.projectId, type: 'twitch', name: 'Evening', ...stream })
  await open(paths.home(person.projectId))
  await button('Search pages and actions')
  await user.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox')
  const rows = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
  for (const [words, row] of [
    ['stop', 'HomePages'],
    ['record', 'Record broadcastsStream setup'],
    ['invite', 'Invite to the projectProject'],
    ['rus', 'РусскийLanguage'],
    ['evening', 'EveningChannels'],
    ['price', 'Plans & billingPages'],
    ['obs: ', 'OBS: server, key, settingsHelp'],
  ] as const) {
    await user.clear(field)
    await user.type(field, words)
    await expect.poll(rows).toContain(row)
  }
})

test('finds everything in each language by words of all three', async ({ open, user, person, service }) => {
  await makeOperator(service, person)
  await open(paths.home(person.projectId))
  await button('Search pages and actions')
  const rows = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
  const cases = {
    en: [
      ['стоп', 'HomePages'],
      ['записывать', 'Record broadcastsStream setup'],
      ['邀请', 'Invite to the projectProject'],
      ['русский', 'РусскийLanguage'],
      ['пароль', 'PasswordAccount'],
      ['состояние', 'HealthAdministration'],
      ['скопировать', 'Copy stream keyStream setup'],
      ['通行密钥', 'PasskeysAccount'],
    ],
    ru: [
      ['stop', 'ГлавнаяСтраницы'],
      ['record', 'Записывать трансляцииНастройка потока'],
      ['invite', 'Пригласить в проектПроект'],
      ['rus', 'РусскийЯзык'],
      ['quiet hours', 'Тихие часыУведомления'],
    ],
    cn: [
      ['stop', '主页页面'],
      ['record', '录制直播推流设置'],
      ['invite', '邀请加入项目项目'],
      ['rus', 'Русский语言'],
      ['sign out', '退出登录账号'],
    ],
  } as const
  for (const language of languages) {
    await changeLanguage(language)
    await user.keyboard('{Control>}k{/Control}')
    const field = await screen.findByRole('combobox')
    for (const [words, row] of cases[language]) {
      await user.clear(field)
      await user.paste(words)
      await expect.poll(rows, { message: words }).toContain(row)
    }
    await user.keyboard('{Escape}')
    await expect.poll(() => screen.queryByRole('combobox')).toBeNull()
  }
})

test('switches the language immediately, remembers it and sends it with calls', async ({
  open,
  user,
  person,
  answer,
}) => {
  const sent: string[] = []
  answer(channels.search, (send, url) => {
    sent.push(url.searchParams.get('language') ?? '')
    return send()
  })
  await open(paths.home(person.projectId))
  await user.click(await button(/Language/))
  await user.click(await button('Русский'))
  await screen.findByRole('heading', { level: 1, name: 'Главная' })
  await expect.poll(() => sent).toContain('ru')
  await open(paths.home(person.projectId))
  await screen.findByRole('heading', { level: 1, name: 'Главная' })
  expect(document.documentElement).toHaveAttribute('lang', 'ru')
})

test('shows a message and a link home for an unknown page or project', async ({ open, user, person }) => {
  for (const path of ['/nowhere', `${paths.home(person.projectId)}/nowhere`, paths.home('not-a-number')]) {
    await open(path)
    await screen.findByRole('heading', { level: 1, name: 'Page not found' })
  }
  await user.click(screen.getByRole('link', { name: 'Go to Home' }))
  await expect.poll(() => location.pathname).toBe(paths.home(person.projectId))
})

test('shows nothing of a project of another account, and does not remember it', async ({
  open,
  user,
  another,
  person,
}) => {
  const stranger = await another('Stranger')
  await open(paths.tariffs(stranger.projectId))
  await screen.findByRole('heading', { level: 1, name: 'Project not found' })
  await expect.poll(() => document.title).toBe('Project not found · Relaydeck')
  expect(screen.getByRole('main')).not.toHaveTextContent('Stranger')
  await user.click(screen.getByRole('link', { name: 'Go to Home' }))
  await expect.poll(() => location.pathname).toBe(paths.home(person.projectId))
})

test('focuses and announces a new page, but keeps the focus on its own tabs', async ({ open, user, person }) => {
  await open(paths.home(person.projectId))
  await user.click(nav('Channels'))
  await expect.poll(() => screen.getByRole('main')).toHaveFocus()
  await expect.poll(() => document.querySelector('#announcer')?.textContent).toBe('Channels · Relaydeck')
  const tab = await within(screen.getByRole('main')).findByRole('link', { name: /accounts/i })
  await user.click(tab)
  await expect.poll(() => location.pathname).toMatch(/\/channels\/accounts$/)
  expect(tab).toHaveFocus()
})

test('finds a project in the switcher, stays on its page, and saves the choice', async ({
  open,
  user,
  person,
  answer,
}) => {
  const selected: number[] = []
  answer(projects.select, async (send) => {
    const response = await send()
    selected.push(response.status)
    return response
  })
  await open(paths.ingest(person.projectId, 'servers'))
  await user.click(await button(/Switch project/))
  const search = within(await dialog('Choose a project')).getByRole('searchbox')
  await user.type(search, 'nobody has this')
  await expect.poll(() => dialog()).toHaveTextContent('No matching projects')
  await user.clear(search)
  await user.type(search, 'Robin')
  await user.click(await button(/Robin/, await dialog()))
  await expect.poll(() => selected).toEqual([200])
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  expect(location.pathname).toBe(paths.ingest(person.projectId, 'servers'))
})

test('ends the notifications of this browser when its user signs out', async ({ open, user }) => {
  const unsubscribe = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true))
  const registration = { pushManager: { getSubscription: () => Promise.resolve({ unsubscribe }) } }
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', class {})
  Object.assign(navigator, { serviceWorker: { getRegistration: () => Promise.resolve(registration) } })
  try {
    await open(paths.account())
    await user.click(await button('Account'))
    await user.click(await button('Sign out'))
    await expect.poll(() => location.pathname).toBe(paths.signIn())
    await expect.poll(() => unsubscribe.mock.calls.length).toBe(1)
  } finally {
    Reflect.deleteProperty(navigator, 'serviceWorker')
  }
})

test('shows a bar while the browser is offline', async ({ open, person }) => {
  await open(paths.home(person.projectId))
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  dispatchEvent(new Event('offline'))
  await screen.findByText(/You are offline/)
  onLine.mockReturnValue(true)
  dispatchEvent(new Event('online'))
  await expect.poll(() => screen.queryByText(/You are offline/)).toBeNull()
})
