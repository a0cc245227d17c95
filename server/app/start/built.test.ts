// The service as people run it: one file made by the build, and what that loads when it needs it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { papers } from '#contract/areas/billing/papers.ts'
import { payments } from '#contract/areas/billing/payments.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { releases } from '#contract/areas/help/releases.ts'
import { payments as operatorPayments } from '#contract/areas/operator/payments.ts'
import { invites } from '#contract/areas/projects/invites.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import type { Input, Operation, Output } from '#contract/core/operation.ts'
import { freePort } from '#server/relay/testing/free-port.ts'
import { mailServer } from '#server/testing/mail.ts'
import { post, program, serviceProcess, signUp } from '#server/testing/process.ts'
import { emptyDatabaseUrl } from '#server/testing/databases.ts'
import { call } from '#server/testing/request.ts'

let mail: Awaited<ReturnType<typeof mailServer>>
let database: Awaited<ReturnType<typeof emptyDatabaseUrl>>
let service: ReturnType<typeof serviceProcess>
beforeAll(async () => {
  mail = await mailServer()
  database = await emptyDatabaseUrl()
  const port = await freePort()
  service = serviceProcess({
    DATABASE_URL: database.url,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    INVOICE_DETAILS: 'Pay to the account 1',
    ...mail.settings,
  })
})
afterAll(async () => {
  service.close()
  await database.drop()
  await mail.close()
})

test('signs up, sends e-mails, and keeps accounts after a restart', async () => {
  const first = await service.start()
  const style = await fetch(`${first.url}/auth/local/style.css`)
  expect(await style.text()).toMatch(/^@font-face\{.*Inter Variable[^]*:root \{/)
  const { accessToken } = await signUp(first.url, 'ann@example.com')
  const mine = async (url: string) => {
    const query = new URLSearchParams({ v: projects.list.version, language: 'en' })
    const answer = await fetch(`${url}${projects.list.path}?${query.toString()}`, {
      headers: { authorization: `oauth ${accessToken}` },
    })
    return (await answer.json()) as Output<typeof projects.list>
  }
  const before = await mine(first.url)
  const invite = { v: invites.add.version, language: 'en', project_id: before.results[0]?.id, access_type: 1 }
  const sent = await post<{ mail: string }>(
    `${first.url}${invites.add.path}`,
    { ...invite, email: 'ben@example.com' },
    accessToken,
  )
  expect(sent.mail).toBe('sent')
  expect(mail.got.map(({ to }) => to)).toEqual([['ben@example.com']])
  const release = await fetch(`${first.url}${releases.current.path}?v=${releases.current.version}&language=en`)
  expect(await release.json()).toMatchObject({ version: JSON.parse(readFileSync('package.json', 'utf8')).version })

  const stopped = once(first.child, 'exit')
  first.child.kill('SIGTERM')
  expect(await stopped).toEqual([0, null])
  const second = await service.start()
  expect(await mine(second.url)).toEqual(before)
  const ended = once(second.child, 'exit')
  second.child.kill('SIGTERM')
  await ended
})

test('billing check 4: the receipt of a paid invoice opens as PDF', async () => {
  const { url } = await service.start()
  const email = 'payer@example.com'
  const { accessToken } = await signUp(url, email)
  const [code] = await once(
    service.track(spawn(process.execPath, [program, 'operator', email], { env: service.env })),
    'exit',
  )
  expect(code).toBe(0)
  const api: <O extends Operation>(op: O, input: Input<O>) => Promise<Output<O>> = (op, input) =>
    call(url, op, input, accessToken)
  const project_id = (await api(projects.list, {})).results[0]?.id ?? 0
  const { payment_id } = await api(payments.create, { project_id, type: 'topup', amount: 2500 })
  await api(paySystems.create, { payment_id })
  await api(operatorPayments.markPaid, { payment_id, amount: 2500, reason: 'Statement 7' })
  const receipt = async () =>
    (await api(papers.list, { project_id, payment_id })).results.find(({ kind }) => kind === 'receipt')
  await expect.poll(receipt, { timeout: 20_000 }).toBeDefined()
  const { number = '', pdf_url = '' } = (await receipt()) ?? {}
  const answer = await fetch(new URL(pdf_url, url))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(answer.headers.get('content-disposition')).toBe(`inline; filename="${number}.pdf"`)
  expect(
    Buffer.from(await answer.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
})

test('prints a password link for the operator', async () => {
  const run = async (email: string) => {
    const child = service.track(spawn(process.execPath, [program, 'recover', email], { env: service.env }))
    const printed = text(child.stdout!)
    const [code] = await once(child, 'exit')
    return { code, printed: await printed }
  }
  expect((await run('unknown@example.com')).code).toBe(1)
  const { code, printed } = await run('Ann@example.com')
  expect(code).toBe(0)
  expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/auth\/local\/recover\?code=[\w-]+\n$/)
})
