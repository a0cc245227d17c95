// Tests of the plans editor: preview in three languages, errors at their fields, copies, archive, removal.
import { within } from '@testing-library/react'
import { plans } from '#contract/areas/operator/plans.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { paths } from '#src/lib/paths.ts'
import { newOperator } from '#server/testing/test-app.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('previews a plan as customers see it, with its name in each language', async ({ open, user, fill, service }) => {
  await open(paths.operator('plans'), await newOperator(service))
  await user.click(await screen.findByRole('button', { name: 'Edit Start' }))
  const preview = within(await screen.findByRole('region', { name: 'What customers see' }))
  const card = within(await preview.findByRole('article', { name: 'Start' }))
  card.getByText('$4.90')
  await fill('Name, Русский', 'Старт')
  await fill('Channels', '7')
  await fill('Price a month, RUB', '500')
  await user.selectOptions(preview.getByLabelText('Language'), 'ru')
  await user.selectOptions(preview.getByLabelText('Currency'), 'rub')
  const russian = within(await preview.findByRole('article', { name: 'Старт' }))
  russian.getByText(/500,00/)
  russian.getByText('7')
  russian.getByText('Командные проекты')
  await fill('Price a month, RUB', '')
  preview.getByText('Not for sale in this currency.')
})

test('makes a plan of a kind that is chosen first, with every feature that customers see', async ({
  open,
  user,
  fill,
  api,
  person,
  service,
}) => {
  const operator = await newOperator(service)
  await open(paths.operator('plans'), operator)
  await user.click((await screen.findAllByRole('button', { name: 'Add plan' }))[0]!)
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getAllByRole('radio').map((one) => one.closest('label')?.textContent)).toEqual([
    expect.stringMatching(/^Fixed/),
    expect.stringMatching(/^Flexible/),
    expect.stringMatching(/^For chosen projects/),
  ])
  expect(dialog.getByRole('radio', { name: /^Fixed/ })).toBeChecked()
  expect(dialog.queryByLabelText('Step of channels')).toBeNull()
  const card = within(await dialog.findByRole('article'))
  for (const name of card.getAllByRole('term').map(({ textContent }) => textContent))
    dialog.getByLabelText(new RegExp(`^${name}(, kbps|, GB)?$`))
  await user.click(dialog.getByRole('radio', { name: /^Flexible/ }))
  await fill('Name', 'Studio')
  await fill('Reason', 'A test')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  for (const label of ['Channels from', 'Step of channels', 'Bitrate from, kbps', 'Step of bitrate, kbps'])
    await expect.poll(() => dialog.getByLabelText(label)).toHaveAccessibleDescription('Enter a whole number')
  for (const [label, value] of Object.entries({
    'Channels from': '5',
    Channels: '25',
    'Step of channels': '10',
    'Bitrate from, kbps': '10000',
    'Bitrate, kbps': '30000',
    'Step of bitrate, kbps': '10000',
    'Price of a channel step, USD': '2',
  }))
    await fill(label, value)
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await screen.findByText('Studio')
  const sold = (await api(restream.offers, { project_id: person.projectId })).results.find(
    ({ title }) => title === 'Studio',
  )
  expect(sold).toMatchObject({ type: 'paid_flex', count_channel_min: 5, count_channel_max: 25, count_channel_step: 10 })
})

test('previews a plan that has no name yet', async ({ open, user, service }) => {
  await open(paths.operator('plans'), await newOperator(service))
  const [add] = await screen.findAllByRole('button', { name: 'Add plan' })
  if (add) await user.click(add)
  const preview = within(await screen.findByRole('region', { name: 'What customers see' }))
  await preview.findByRole('article', { name: 'Plan without a name' })
})

test('shows what is wrong with a plan beside its field', async ({ open, user, fill, service }) => {
  await open(paths.operator('plans'), await newOperator(service))
  await user.click(await screen.findByRole('button', { name: 'Edit Flexible' }))
  const dialog = within(await screen.findByRole('dialog'))
  const problemOf = (label: string) => {
    const id = dialog.getByLabelText(label).getAttribute('aria-describedby')
    return id
      ?.split(' ')
      .map((one) => document.querySelector(`#${CSS.escape(one)}`)?.textContent)
      .join(' ')
  }
  await fill('Channels', '5000')
  await expect.poll(() => problemOf('Channels')).toContain('1000')
  await fill('Channels', 'ten')
  await expect.poll(() => problemOf('Channels')).toContain('Enter a whole number')
  await fill('Channels', '100')
  await fill('Price a month, USD', '-5')
  await expect.poll(() => problemOf('Price a month, USD')).toContain('Enter an amount')
  await fill('Price a month, USD', '15,90')
  await fill('Name', ' ')
  await expect.poll(() => problemOf('Name')).toContain('Enter a name')
  await fill('Name', 'Flexible')
  await fill('Step of channels', '7')
  await fill('Reason', 'A test')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await expect.poll(() => problemOf('Step of channels')).toContain('whole steps')
})

test('copies a plan, archives it, and removes only what was never bought', async ({
  open,
  user,
  fill,
  person,
  api,
  service,
}) => {
  const operator = await newOperator(service)
  await api(restream.buy, { project_id: person.projectId, plan_restream_id: 2, period: 'month' })
  await open(paths.operator('plans'), operator)
  const choose = async (title: string, item: string) => {
    await user.click(await screen.findByRole('button', { name: `More: ${title}` }))
    const row = screen.getByRole('button', { name: `More: ${title}` }).closest('li')!
    await user.click(within(row).getByRole('button', { name: item, hidden: true }))
    return within(await screen.findByRole('dialog'))
  }
  const confirm = async (dialog: Awaited<ReturnType<typeof choose>>, name: string) => {
    await fill('Reason', 'A test')
    await user.click(dialog.getByRole('button', { name }))
  }
  await confirm(await choose('Start', 'Duplicate'), 'Save')
  await screen.findByText('Start, copy')
  const refused = await choose('Start', 'Delete')
  await confirm(refused, 'Delete')
  await refused.findByText(/A plan that was bought cannot be deleted/)
  await user.click(refused.getByRole('button', { name: 'Cancel' }))
  await confirm(await choose('Start', 'Archive'), 'Archive')
  await screen.findByText('Archived')
  await confirm(await choose('Start, copy', 'Delete'), 'Delete')
  await expect.poll(() => screen.queryByText('Start, copy')).toBeNull()
  const list = (await api(plans.list, {}, operator)).restream
  expect(list.filter(({ active }) => !active).map(({ title }) => title)).toEqual(['Start'])
  await confirm(await choose('Start', 'Sell again'), 'Sell again')
  await expect.poll(() => screen.queryByText('Archived')).toBeNull()
})
