// The reference: the whole API to read, and reads to try, with and without a session.
import { projects } from '#contract/areas/projects/projects.ts'
import { operations } from '#contract/index.ts'
import { notServed } from '#contract/not-served.ts'
import { paths } from '#src/lib/paths.ts'
import { axe, scrollsSideways } from './fixtures/accessible.ts'
import { expect, test } from './fixtures/test.ts'

const all = operations.length + notServed.flatMap((group) => group.operations).length

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('anybody finds an operation by a word, and the address of the search can be shared', async ({ page, goto }) => {
  await goto(paths.reference())
  await expect(page.getByText(`${all} operations`)).toBeVisible()
  await page.getByLabel('Find a group or an operation').fill('refresh-access')
  await expect(page).toHaveURL(/\?q=refresh-access$/)
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([/^Account/])

  await page.reload()
  await expect(page.getByLabel('Find a group or an operation')).toHaveValue('refresh-access')
  await page.getByRole('link', { name: 'POST auth/refresh-access' }).click()

  const operation = page.locator('#post-auth-refresh-access')
  await expect(operation.getByText('In the brief')).toBeVisible()
  await expect(operation.getByText('Anybody, without a token')).toBeVisible()
  await expect(operation.getByRole('row', { name: /^refresh required/ })).toContainText('length ≤ 4096')
  await expect(operation.getByRole('group', { name: 'Answer' })).toHaveText(
    '{ accessToken: string refreshToken: string }',
  )
})

test('without a session, what needs one says so and leads to sign-in; what needs none runs', async ({ page, goto }) => {
  await goto(`${paths.referenceGroup('tariffs.restream')}#get-plan-restream`)
  const slots = page.locator('#get-plan-restream')
  await expect(slots.getByText('This operation needs a session.')).toBeVisible()
  await expect(slots.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', /returnTo=%2Freference/)

  const list = page.locator('#get-plan-restream-list')
  await list.getByText('plan_restream/list').click()
  await list.getByRole('button', { name: 'Run' }).click()
  await expect(list.getByRole('status').filter({ hasText: 'HTTP 200' })).toContainText('The answer fits the contract.')
  await expect(list.getByRole('group', { name: 'The answer as it came' })).toContainText('"plan_restream_id": 1')
})

test('a read runs with the session and the project of the person', async ({ page, person, login, goto, watch }) => {
  await login()
  await goto(paths.project(person.projectId))
  await goto(`${paths.referenceGroup('tariffs.restream')}#get-plan-restream`)
  const slots = page.locator('#get-plan-restream')
  await expect(slots.getByLabel('project_id')).toHaveValue(String(person.projectId))
  await slots.getByRole('button', { name: 'Run' }).click()
  await expect(slots.getByText('HTTP 200')).toBeVisible()
  await expect(slots.getByRole('group', { name: 'The answer as it came' })).toContainText('"current"')

  await test.step('a refusal is shown as it came', async () => {
    watch.allow(/status of 400/)
    await slots.getByLabel('project_id').fill('seven')
    await slots.getByRole('button', { name: 'Run' }).click()
    await expect(slots.getByText('HTTP 400')).toBeVisible()
    await expect(slots.getByRole('group', { name: 'The answer as it came' })).toContainText('"validator_error"')
  })

  await test.step('the command has a place for the token, never the token', async () => {
    await slots.getByRole('button', { name: 'Copy' }).first().click()
    await expect(slots.getByText('Copied')).toBeVisible()
    const command = await page.evaluate(() => navigator.clipboard.readText())
    expect(command).toContain(`project_id=${person.projectId}'`)
    expect(command).toContain("-H 'Authorization: oauth <ACCESS_TOKEN>'")
  })
})

test('the command does what it says', async ({ page, person, service, login, goto }) => {
  await login()
  await goto(paths.project(person.projectId))
  await goto(`${paths.referenceGroup('projects.projects')}#get-project-get-project-info`)
  const text = await page.getByRole('group', { name: 'curl' }).innerText()
  const url = /'(http[^']+)'/.exec(text)?.[1] ?? ''
  const answer = await fetch(url, { headers: { authorization: `oauth ${person.accessToken}` } })
  expect(url).toContain(service.url)
  expect(projects.info.output.parse(await answer.json())).toMatchObject({ data: { project_id: person.projectId } })
})

test('what is not served shows what is published about it', async ({ page, goto }) => {
  await goto(`${paths.referenceGroup('chat.chat')}#get-chat-messages`)
  const messages = page.locator('#get-chat-messages')
  await expect(messages.getByText('Not served yet')).toBeVisible()
  await expect(messages.getByText('From the published description')).toBeVisible()
  await expect(messages.getByRole('listitem').filter({ hasText: 'broadcast_id' })).toContainText('required')
  await expect(messages.getByRole('group', { name: 'Fields of the answer' })).toContainText('items[].sender')
  await expect(messages.getByRole('button', { name: 'Run' })).toHaveCount(0)
})

test('a group that does not exist says so', async ({ page, goto }) => {
  await goto(paths.referenceGroup('chat.chat'))
  await expect(page).toHaveTitle('chat.chat · API reference · Relaydeck')
  await goto(paths.referenceGroup('no.such'))
  await expect(page.getByRole('heading', { name: 'No such group' })).toBeVisible()
  await page.getByRole('link', { name: 'All groups' }).click()
  await expect(page.getByRole('heading', { name: 'API reference' })).toBeVisible()
})

for (const group of ['account.auth', 'account.profile', 'projects.projects', 'tariffs.restream', 'chat.chat'])
  test(`every operation of ${group} opens, accessible and no wider than a phone`, async ({ page, goto }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await goto(paths.referenceGroup(group))
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)))
    await expect(page.locator('details[open] > div').last()).toBeVisible()
    expect(await axe(page)).toEqual([])
    expect(await scrollsSideways(page)).toBe(false)
  })
