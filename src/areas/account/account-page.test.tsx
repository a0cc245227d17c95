// Tests of the account pages: name, avatar, language, unsaved input.
import { within } from '@testing-library/react'
import { profile } from '#contract/areas/account/profile.ts'
import { paths } from '#src/lib/paths.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

/** PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('saves a name and shows it everywhere', async ({ open, user, fill, api }) => {
  await open(paths.account())
  await screen.findByText('No changes to save.')
  await fill('First name', 'Ada')
  await fill('Last name', 'Лавлейс 夫人')
  await screen.findByText('Unsaved changes.')
  await user.click(screen.getByRole('button', { name: 'Save profile' }))
  await screen.findByText('Saved.')

  expect(await api(profile.get, {})).toMatchObject({ firstName: 'Ada', lastName: 'Лавлейс 夫人' })
  await user.click(screen.getByRole('button', { name: 'Account' }))
  await screen.findByText('Ada Лавлейс 夫人')
})

test('checks an avatar and previews it before upload', async ({ open, user, api }) => {
  await open(paths.account())
  const choose = (content: BlobPart, name: string) =>
    user.upload(screen.getByLabelText(/(Choose|Replace) photo/), new File([content], name, { type: 'image/png' }))
  const picture = () => screen.findByRole('img', { name: 'Your photo' })

  await screen.findByLabelText('Choose photo')
  await choose('no picture', 'song.png')
  await screen.findByText(/not a JPEG or PNG/)
  await choose(Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)]), 'large.png')
  await screen.findByText(/larger than 2 MB/)
  expect(screen.getByText('No changes to save.')).toBeVisible()

  await choose(png, 'me.png')
  await screen.findByText('me.png will be uploaded when you save.')
  expect(await picture()).toHaveAttribute('src', `data:image/png;base64,${png.toString('base64')}`)
  await user.click(screen.getByRole('button', { name: 'Save profile' }))
  await screen.findByText('Saved.')
  const { photo } = await api(profile.get, {})
  expect(await picture()).toHaveAttribute('src', photo ?? 'none')
})

test('confirms navigation away from unsaved input', async ({ open, user, fill }) => {
  await open(paths.account())
  await fill('First name', 'Another name')
  await user.click(screen.getByRole('link', { name: 'Sessions' }))
  const dialog = () => screen.findByRole('dialog', { name: 'Leave without saving?' })
  await user.click(within(await dialog()).getByRole('button', { name: 'Stay' }))
  expect(location.pathname).toBe(paths.account())
  expect(screen.getByLabelText('First name')).toHaveValue('Another name')

  await user.click(screen.getByRole('link', { name: 'Sessions' }))
  await user.click(within(await dialog()).getByRole('button', { name: 'Leave without saving' }))
  await screen.findByText('This session')
  expect(location.pathname).toBe(paths.account('sessions'))
})

test('switches the language immediately and remembers it', async ({ open, user }) => {
  await open(paths.account())
  await user.click(screen.getByRole('radio', { name: 'Русский' }))
  await screen.findByRole('heading', { name: 'Аккаунт' })
  expect(document.title).toBe('Профиль · Relaydeck')
  await open(paths.account())
  expect(await screen.findByRole('radio', { name: 'Русский' })).toBeChecked()
  await user.click(screen.getByRole('radio', { name: '简体中文' }))
  await screen.findByRole('heading', { name: '账号' })
  expect(document.documentElement).toHaveAttribute('lang', 'zh-Hans')
})
