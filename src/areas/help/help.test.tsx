// Tests of the handbook, the blog and the policies.
import { within } from '@testing-library/react'
import { articles } from '#contract/areas/help/articles.ts'
import { contentFolder, somePng, somePolicy, somePost } from '#server/testing/content.ts'
import { changeLanguage } from '#src/lib/i18n.ts'
import { paths } from '#src/lib/paths.ts'
import { expect, screen, testWith } from '#src/testing/page-test.tsx'

const folder = contentFolder({
  'help/en/own/index.md': '---\ntitle: Our section\norder: 99\n---\n',
  'help/en/own/rules.md':
    '---\ntitle: House rules\n---\n\n> [!WARNING]\n> Be kind.\n\n## Reasons\n\n- `late` **Too late.** See [OBS](../../en/start/obs.md).\n\n| a | b |\n| - | -: |\n| 1 | 2 |\n\n<script>alert(1)</script>\n',
  'help/en/start/obs.md': '---\ntitle: Our OBS\norder: 2\n---\n\nThe operator wrote this.\n',
  'blog/en/first.md': somePost,
  'blog/en/dot.png': somePng,
  'policies/en/refund.md': somePolicy,
})

const test = testWith({ CONTENT_DIR: folder })

const main = () => within(screen.getByRole('main'))

test('lists the sections and opens an article, without signing in', async ({ open, user }) => {
  await open(paths.help(), null)
  await user.click(await screen.findByRole('link', { name: 'House rules' }))
  await screen.findByRole('heading', { level: 1, name: 'House rules' })
  await expect.poll(() => document.title).toBe('House rules · Relaydeck')
  expect(screen.getByText('Warning')).toBeVisible()
  expect(screen.getByText('<script>alert(1)</script>')).toBeVisible()
  expect(screen.getByRole('cell', { name: '2' })).toBeVisible()
  await user.click(main().getByRole('link', { name: 'Our section' }))
  expect(location.pathname).toBe('/help/own')
  await expect.poll(() => document.title).toBe('Help · Relaydeck')
  expect(await main().findByRole('link', { name: 'All articles' })).toHaveAttribute('href', paths.help())
  await user.click(await screen.findByRole('link', { name: 'House rules' }))
  await user.click(await main().findByRole('link', { name: 'OBS' }))
  await screen.findByRole('heading', { level: 1, name: 'Our OBS' })
  expect(location.pathname).toBe(paths.help('start/obs'))
})

test('marks the place that the address names', async ({ open }) => {
  await open('/help/own/rules#late', null)
  const place = (await screen.findByText('Too late.')).closest('li')
  expect(place).toHaveAttribute('id', 'late')
  expect(place).toHaveAttribute('data-here')
})

test('finds articles while typing, and keeps the query in the address', async ({ open, fill, user }) => {
  await open(paths.help(), null)
  await fill('Search the handbook', 'too late')
  const results = within(await screen.findByRole('region', { name: 'Articles found' }))
  await user.click(await results.findByRole('link', { name: 'House rules' }))
  await screen.findByText('Too late.')
  expect(location.hash).toBe('#late')
  history.back()
  await expect.poll(() => location.search).toBe('?s=too+late')
  await open(`${paths.help()}?s=zzzzqqqq`, null)
  await screen.findByText('No article matches. Try other words.')
})

test('says that a text is in another language', async ({ open }) => {
  await changeLanguage('ru')
  await open('/help/own/rules', null)
  await screen.findByText('Этого текста пока нет на вашем языке. Язык текста: английский.')
  const title = within(screen.getByRole('heading', { level: 1 })).getByText('House rules')
  expect(title).toHaveAttribute('lang', 'en')
})

test('says that an article does not exist', async ({ open }) => {
  await open('/help/start/nothing', null)
  await screen.findByText('This server has no such article')
  await open('/help/nothing', null)
  await screen.findByText('This server has no such section')
})

test('shows no link and no markup that another server made up', async ({ open, answer }) => {
  answer(articles.get, async (send) => {
    const body = (await (await send()).json()) as { result: Record<string, unknown> }
    body.result['blocks'] = [
      { is: 'new-kind', text: 'unknown' },
      {
        is: 'paragraph',
        children: [{ is: 'link', to: 'data:text/html,<script>', children: [{ is: 'text', text: 'click' }] }],
      },
    ]
    return Response.json(body)
  })
  await open('/help/own/rules', null)
  expect((await screen.findByText('click')).closest('a')).toBeNull()
})

test('shows posts by tag, and a post', async ({ open, user }) => {
  await open(paths.help(), null)
  await user.click(await screen.findByRole('link', { name: 'All posts' }))
  await user.selectOptions(await screen.findByLabelText('Tag'), 'news')
  await expect.poll(() => location.search).toBe('?tag=news')
  expect(screen.getByRole('link', { name: 'RSS feed' })).toHaveAttribute('href', expect.stringMatching(/feed\.xml/))
  await user.click(await screen.findByRole('link', { name: 'First post' }))
  const image = await screen.findByAltText('a dot')
  expect(image).toHaveAttribute('src', expect.stringMatching(/\/content\/[\da-f]{32}\.png$/))
  expect(image).toHaveAttribute('width', '3')
  await open(paths.blog('nothing'), null)
  await screen.findByText('The post does not exist')
  await open(`${paths.blog()}?tag=unused`, null)
  await screen.findByText('No posts')
  expect(screen.getByLabelText('Tag')).toHaveValue('unused')
  expect(screen.getByRole('link', { name: 'All posts' })).toHaveAttribute('href', paths.blog())
})

test('links the policies that the operator supplies, and no others', async ({ open, user }) => {
  await open(paths.help(), null)
  await user.click(await screen.findByRole('link', { name: 'Refunds' }))
  await screen.findByText('We refund within 14 days.')
  await open(paths.help(), null)
  await screen.findByRole('link', { name: 'Refunds' })
  expect(screen.queryByRole('link', { name: 'Terms of use' })).toBeNull()
  await open(paths.policy('nothing'), null)
  await screen.findByText('The policy does not exist')
})

test('lists the headings and the articles of the section beside an article', async ({ open, user }) => {
  await open(paths.help('trouble/channel-failed'), null)
  const here = within(await screen.findByRole('navigation', { name: 'On this page' }))
  await user.click(here.getByText('On this page'))
  await user.click(here.getByRole('link', { name: 'The key is wrong' }))
  expect(location.hash).toBe('#key')
  const section = within(screen.getByRole('navigation', { name: 'When something fails' }))
  const links = section.getAllByRole('link')
  expect(links.map((link) => link.getAttribute('aria-current'))).toEqual(['page', null, null])
})

test('links to the supplied policies from the sign-in page', async ({ open, user }) => {
  await open(paths.signIn(), null)
  const policies = within(await screen.findByRole('navigation', { name: 'Policies' }))
  expect(policies.getAllByRole('link')).toHaveLength(1)
  await user.click(policies.getByRole('link', { name: 'Refunds' }))
  await screen.findByText('We refund within 14 days.')
})
