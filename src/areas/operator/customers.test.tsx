// Tests of the operator's pages for plans, customers, the log and health.
import { within } from '@testing-library/react'
import { health, type OperatorHealth } from '#contract/areas/operator/health.ts'
import { plans } from '#contract/areas/operator/plans.ts'
import { restream as tariffs } from '#contract/areas/tariffs/restream.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { paths } from '#src/lib/paths.ts'
import { newOperator } from '#server/testing/test-app.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('edits a plan, and says how many projects run it', async ({ open, user, fill, api, service }) => {
  const operator = await newOperator(service)
  await open(paths.operator('plans'), operator)
  const list = within(await screen.findByRole('list', { name: 'Restream' }))
  list.getByText(/\$4\.90 .* runs in 0 projects/)
  await user.click(list.getByRole('button', { name: 'Edit Start' }))
  await fill('Price a month, USD', 'many')
  expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true')
  await fill('Price a month, USD', '5,90')
  await fill('Reason', 'Spring')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await list.findByText(/\$5\.90/)
  const { restream } = await api(plans.list, {}, operator)
  expect(restream.find(({ title }) => title === 'Start')).toMatchObject({ price_usd: 590, price_rub: 39_000 })

  await open(paths.operator('log'), operator)
  const entry = (await screen.findByText('Plan saved · Start')).closest('li') ?? document.body
  const changes = within(entry).getByRole('list', { name: 'Before and after', hidden: true })
  expect(
    within(changes)
      .getAllByRole('listitem', { hidden: true })
      .map(({ textContent }) => textContent),
  ).toEqual(['price_usd: 490 → 590'])
})

test('stops selling a period, and keeps the last one', async ({ open, user, fill, api, person, service }) => {
  const operator = await newOperator(service)
  await open(paths.operator('plans'), operator)
  const periods = within(await screen.findByRole('region', { name: 'Periods' }))
  await user.click(periods.getAllByRole('button', { name: 'Stop selling' })[0] ?? document.body)
  await fill('Reason', 'Years only')
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Stop selling' }))
  await within(periods.getAllByRole('listitem')[0]!).findByText('Not for sale')
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  // The year is the last one that is sold; quarters were never sold.
  expect(periods.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Sell', 'Sell'])

  await open(paths.tariffs(person.projectId), person)
  const choice = within(await screen.findByRole('group', { name: 'Billing period' }))
  expect(choice.getAllByRole('radio')).toHaveLength(1)
  expect(choice.getByRole('radio', { name: /^Year/ })).toBeChecked()
  await api(plans.setPeriod, { period: 'month', sold: true, reason: 'End of the test' }, operator)
})

test('adds a plan and moves it up', async ({ open, user, fill, service }) => {
  await open(paths.operator('plans'), await newOperator(service))
  const storage = within(await screen.findByRole('region', { name: 'Storage' }))
  await user.click(storage.getByRole('button', { name: 'Add plan' }))
  await fill('Name', 'Archive')
  await fill('Reason', 'A second plan')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await user.click(await storage.findByRole('button', { name: 'Move Archive up' }))
  await storage.findByRole('button', { name: 'Edit Archive' })
  await expect.poll(() => storage.getAllByRole('listitem')[0]?.textContent).toContain('Archive')
})

test('adds a restream plan to the public catalogue, or to that of chosen projects', async ({
  open,
  user,
  fill,
  api,
  person,
  service,
}) => {
  const operator = await newOperator(service)
  await open(paths.operator('plans'), operator)
  const restream = within(await screen.findByRole('region', { name: 'Restream' }))
  const add = async (title: string, kind: string, rest: () => Promise<unknown>) => {
    await user.click(restream.getByRole('button', { name: 'Add plan' }))
    await user.click(await screen.findByRole('radio', { name: new RegExp(`^${kind}`) }))
    await fill('Name', title)
    await rest()
    await fill('Reason', 'New')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await restream.findByRole('button', { name: `Edit ${title}` })
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  }
  await add('Plus', 'Fixed', async () => {
    expect(screen.getByRole('switch', { name: 'In the public catalogue' })).toBeChecked()
  })
  await add('Elastic', 'Flexible', async () => {
    await fill('Channels from', '10')
    await fill('Channels', '20')
    await fill('Step of channels', '7')
    await fill('Bitrate from, kbps', '10000')
    await fill('Bitrate, kbps', '20000')
    await fill('Step of bitrate, kbps', '5000')
    await fill('Reason', 'New')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText(/whole steps must lead from the smallest to the largest value/)
    await fill('Step of channels', '5')
  })
  await add('For Ann', 'For chosen projects', async () => {
    expect(screen.queryByRole('switch', { name: 'In the public catalogue' })).toBeNull()
  })
  const catalogue = (await api(plans.list, {}, operator)).restream
  expect(['Plus', 'Elastic', 'For Ann'].map((name) => catalogue.find(({ title }) => title === name))).toMatchObject([
    { type: 'paid_fix', listed: true, channel_step: null },
    { type: 'paid_flex', listed: true, channel_min: 10, channel_step: 5 },
    { type: 'custom', listed: false },
  ])
  const shown = (await api(tariffs.offers, { project_id: person.projectId })).results.map(({ title }) => title)
  expect(shown).toEqual(expect.arrayContaining(['Plus', 'Elastic']))
  expect(shown).not.toContain('For Ann')
})

test('finds a project, adds money and gives a plan, and logs both', async ({
  open,
  user,
  fill,
  api,
  service,
  another,
}) => {
  const zoe = await another('Zoe')
  const operator = await newOperator(service)
  await open(paths.operator('projects'), operator)
  await fill('Name, owner, e-mail or number', 'zoe')
  await user.click(await screen.findByRole('button', { name: 'Change balance of Zoe' }))
  await fill('Amount, USD', '12.50')
  await screen.findByText(/Afterwards: \$192\.50/)
  await fill('Reason', 'Paid by bank transfer')
  await user.click(screen.getByRole('button', { name: 'Add money' }))
  await screen.findByText(/Bonus balance \$192\.50/)

  await user.click(screen.getByRole('button', { name: 'Give a plan to Zoe' }))
  await fill('Reason', 'A friend')
  const dialog = within(screen.getByRole('dialog'))
  await user.click(await dialog.findByRole('button', { name: 'Give a plan' }))
  await screen.findByText(/Start until/)
  const { data } = await api(projects.info, { project_id: zoe.projectId }, zoe)
  expect(data.balance_bonus).toBe(19_250)

  await open(paths.operator('log'), operator)
  await screen.findByText('Plan given · Zoe')
  await screen.findByText(/Paid by bank transfer/)
})

test('shows the result of the ledger check', async ({ open, service }) => {
  await open(paths.operator('health'), await newOperator(service))
  await screen.findByText('No differences found')
})

test('decides on a closing receipt that was refused', async ({ open, user, fill, answer, service }) => {
  const receipt = {
    receipt_id: 7,
    payment_id: 12,
    project_id: 3,
    project_name: 'Zoe',
    title: 'Pro',
    amount: 39_000,
    reason: 'canceled',
    date: '2026-11-01T10:00:00.000Z',
  }
  let refused = [receipt]
  answer(health.get, async (send) =>
    Response.json({
      ...((await (await send()).json()) as OperatorHealth),
      providers: [{ name: 'yookassa', mismatches: 0, date_reconciled: null, date_event: null }],
      receipts: { waiting: 2, refused },
    }),
  )
  const sent: string[] = []
  answer(health.resolveReceipt, (_, url) => {
    sent.push(url.pathname)
    refused = []
    return Response.json({ success: true })
  })
  await open(paths.operator('health'), await newOperator(service))
  await screen.findByText(/Zoe \(3\) · Pro · the cash register did not register it/)
  await user.click(screen.getByRole('button', { name: 'Decide on receipt 7' }))
  await fill('Reason', 'Made by hand')
  await user.selectOptions(screen.getByLabelText('Decision'), 'I made it in the cash register')
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Decide' }))
  await expect.poll(() => screen.queryByText(/needs a decision/)).toBeNull()
  expect(sent).toHaveLength(1)
})
