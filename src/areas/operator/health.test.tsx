// Tests of Administration, Health: the system, failing jobs.
import { within } from '@testing-library/react'
import { health, type OperatorHealth } from '#contract/areas/operator/health.ts'
import { paths } from '#src/lib/paths.ts'
import { report } from '#server/testing/nodes.ts'
import { newOperator } from '#server/testing/test-app.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'

test('shows failing jobs, runs one now and gives one up', async ({ open, user, fill, service }) => {
  const operator = await newOperator(service)
  const { db } = service.app
  await open(paths.operator('health'), operator)
  await screen.findByRole('heading', { name: 'Ledger' })
  expect(screen.queryByRole('heading', { name: 'Failing jobs' })).toBeNull()

  const parked = { due: null, attempts: 12, error: 'Error: no answer' }
  const retrying = { attempts: 12, error: 'Error: no answer', due: Date.now() + 3_600_000 }
  await db
    .insertInto('jobs')
    .values([
      { ...parked, kind: 'billing.refund', key: '7' },
      { ...parked, kind: 'later.kind', key: '8' },
      { ...retrying, kind: 'installation.sweep', key: '' },
    ])
    .onConflict((job) => job.columns(['kind', 'key']).doUpdateSet(retrying))
    .execute()
  await open(paths.operator('health'), operator)
  const rows = () => within(screen.getByRole('list', { name: 'Failing jobs' })).getAllByRole('listitem')
  await screen.findByRole('heading', { name: 'Failing jobs' })
  expect(rows().map(({ textContent }) => textContent)).toEqual([
    'Refund 712 attemptsParkedRun nowGive upError: no answer',
    'later.kind 812 attemptsParkedRun nowGive upError: no answer',
    expect.stringMatching(/^Deletion of expired data12 attempts · next attempt: .*Run nowError: no answer$/),
  ])

  await user.click(screen.getByRole('button', { name: 'Give up Refund 7' }))
  const confirm = within(await screen.findByRole('dialog')).getByRole('button', { name: 'Give up' })
  expect(confirm).toHaveAttribute('aria-disabled', 'true')
  await fill('Reason', 'Refunded by hand')
  await user.click(confirm)
  await expect.poll(() => rows().length).toBe(2)

  await user.click(screen.getByRole('button', { name: 'Run now: later.kind 8' }))
  const run = within(await screen.findByRole('dialog')).getByRole('button', { name: 'Run now' })
  await fill('Reason', 'The provider answers')
  await user.click(run)
  await expect.poll(() => rows()[0]?.textContent).toMatch(/next attempt/)
  const log = await db.selectFrom('operator_log').select(['action', 'reason']).orderBy('id').execute()
  expect(log).toEqual([
    { action: 'job_give_up', reason: 'Refunded by hand' },
    { action: 'job_run', reason: 'The provider answers' },
  ])
})

test('says that replicas lost messages, and nothing while none did', async ({ open, answer, service }) => {
  const operator = await newOperator(service)
  await open(paths.operator('health'), operator)
  await screen.findByRole('heading', { name: 'Ledger' })
  expect(screen.queryByRole('heading', { name: 'Messages between replicas' })).toBeNull()

  answer(health.get, async (send) => {
    const body = (await (await send()).json()) as OperatorHealth
    expect(body.bus).toEqual({ connected: true, lost: 0, date_loss: null })
    return Response.json({ ...body, bus: { connected: false, lost: 12, date_loss: '2026-03-01T10:00:00.000Z' } })
  })
  await open(paths.operator('health'), operator)
  await screen.findByText(/This replica cannot reach the others/)
  expect(screen.getByText(/12 messages were lost/)).toBeVisible()
})

test('shows the system, and says what to do where a check is not good', async ({ open, service }) => {
  const operator = await newOperator(service)
  const rowOf = (title: string) => {
    const list = within(screen.getByRole('list', { name: 'System' }))
    return list.getAllByRole('listitem').find(({ textContent }) => textContent?.startsWith(title))
  }
  await open(paths.operator('health'), operator)
  await screen.findByRole('heading', { name: 'System' })
  expect(rowOf('Disk: data and recordings')).toHaveTextContent(/free of/)
  expect(rowOf('Relays')).toHaveTextContent(/Problem.*No ingest server is online yet.*Start a relay/)
  expect(rowOf('ffmpeg')).toHaveTextContent('Not checked yet')
  expect(rowOf('E-mail')).toHaveTextContent(/Warning.*Set SMTP_URL/)
  expect(rowOf('Database')).toHaveTextContent(/(SQLite|PostgreSQL).*schema \d{4}-/)
  expect(rowOf('Backup')).toHaveTextContent(/Warning.*npm start -- backup/)

  await report(service.services, { city: 'Oslo', ffmpeg: null })
  await service.app.db.updateTable('installation').set({ date_backup: new Date().toISOString() }).execute()
  await open(paths.operator('health'), operator)
  await expect.poll(() => rowOf('Relays')?.textContent).toMatch(/^RelaysOslo · connected · takes new broadcasts.*Good$/)
  expect(rowOf('ffmpeg')).toHaveTextContent(/Server Oslo has no ffmpeg.*Install ffmpeg/)
  expect(rowOf('Backup')).toHaveTextContent(/Good$/)
})
