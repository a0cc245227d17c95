// Every dialog on a small phone and on a small desktop: its title, its fields and its buttons can be reached.
import { globSync, readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { security } from '#contract/areas/account/security.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { settings as operatorSettings } from '#contract/areas/operator/settings.ts'
import { paths } from '#src/lib/paths.ts'
import { axeOfDialog } from './fixtures/accessible.ts'
import { settled } from './fixtures/calls.ts'
import { messageOf, someChat } from './fixtures/chat-message.ts'
import {
  type DialogScene,
  dialogScene,
  emptyBalance,
  isBackAt,
  leaveUnsaved,
  scrollToApps,
  showsKeys,
  streamHere,
} from './fixtures/dialog-scene.ts'
import type { Service } from './fixtures/service.ts'
import { startService } from './fixtures/service.ts'
import { expect, opened, test as base } from './fixtures/test.ts'
import { unreachable } from './fixtures/unreachable.ts'

/** Invoices, and YooKassa for receipts by 54-FZ, which does not answer. */
const settings = {
  INVOICE_DETAILS: 'IBAN',
  YOOKASSA_SHOP_ID: '1',
  YOOKASSA_SECRET_KEY: 'test_key',
  PROVIDER_BASES: 'yookassa=http://127.0.0.1:1,twitch=http://127.0.0.1:1',
}

const test = base.extend({
  service: async ({ shared }, use) => use(await shared('service with dialogs', () => opened(startService(settings)))),
})

const sizes = [
  { width: 390, height: 667 },
  { width: 390, height: 844 },
  { width: 1366, height: 650 },
] as const

interface Dialog {
  /** File of `src` that renders it. */
  readonly file: string
  readonly path: (scene: DialogScene) => string
  /** Accessible names of the buttons to press, in order; each the first with that name. Functions do other steps. */
  readonly steps: readonly (
    | string
    | RegExp
    | ((page: Page, service: Service, scene: DialogScene) => Promise<unknown>)
  )[]
}

const operator = (tab?: string) => () => paths.operator(tab)
const own =
  (path: (projectId: number) => string) =>
  ({ projectId }: DialogScene) =>
    path(projectId)
const billing = (tab?: 'history' | 'cards' | 'payouts') => own((id) => paths.billing(id, tab))
const ingest = (tab?: 'pull' | 'transcoders') => own((id) => paths.ingest(id, tab))
const project = (tab?: 'members') => own((id) => paths.project(id, tab))
const schedule = own((id) => paths.broadcasts(id, 'schedule'))
const channel = ({ projectId, channelId }: DialogScene) => paths.channel(projectId, channelId)

const dialogs: readonly Dialog[] = [
  { file: 'app/shell/palette.tsx', path: own(paths.home), steps: [(page) => page.keyboard.press('Control+k')] },
  { file: 'app/shell/palette.tsx', path: own(paths.home), steps: [askToStop] },
  { file: 'app/shell/project-dialog.tsx', path: own(paths.home), steps: [/^Project: /] },
  { file: 'app/shell/create-project-dialog.tsx', path: own(paths.home), steps: [/^Project: /, 'Create project'] },
  { file: 'app/home/on-air/on-air-part.tsx', path: own(paths.home), steps: ['Stop'] },
  { file: 'app/home/from-browser/browser-dialog.tsx', path: (of) => paths.home(of.teamId), steps: [/^Go live from/] },
  { file: 'app/home/from-browser/browser-dialog.tsx', path: (of) => paths.home(of.teamId), steps: [streamHere] },
  { file: 'components/leave-guard.tsx', path: () => paths.account(), steps: [leaveUnsaved] },
  { file: 'components/invite-link.tsx', path: project('members'), steps: ['Invite', inDialog('Create invitation')] },
  { file: 'areas/projects/members-part.tsx', path: project('members'), steps: ['Invite'] },
  { file: 'areas/projects/member-dialog.tsx', path: project('members'), steps: [/^Change the role of Guest/] },
  {
    file: 'areas/projects/member-dialog.tsx',
    path: project('members'),
    steps: [/^Change the role of Guest/, 'Remove from the project'],
  },
  { file: 'areas/projects/overview-part.tsx', path: project(), steps: ['Rename'] },
  { file: 'areas/projects/leave-project.tsx', path: (of) => paths.project(of.teamId, 'members'), steps: ['Leave'] },
  { file: 'areas/operator/general-part.tsx', path: operator('general'), steps: ['Switch plans off'] },
  { file: 'areas/operator/general-part.tsx', path: operator('general'), steps: [withoutPlans, 'Change limits'] },
  { file: 'areas/operator/general-part.tsx', path: operator('general'), steps: ['Change demand'] },
  { file: 'areas/operator/general-part.tsx', path: operator('general'), steps: ['Change bonus'] },
  { file: 'areas/operator/customers-part.tsx', path: operator('projects'), steps: [/^Change balance of/] },
  { file: 'areas/operator/customers-part.tsx', path: operator('projects'), steps: [/^Give a plan to/] },
  {
    file: 'areas/operator/customer-part.tsx',
    path: ({ projectId }) => paths.operator(`projects/${projectId}`),
    steps: ['Suspend'],
  },
  {
    file: 'areas/operator/plan-change-dialog.tsx',
    path: ({ projectId }) => paths.operator(`projects/${projectId}`),
    steps: ['Change plan'],
  },
  { file: 'areas/operator/people-part.tsx', path: operator('people'), steps: ['Change sign-up'] },
  ...['Create invitation', /^Make .* an operator$/, /^End all sessions of /].map((name) => ({
    file: 'areas/operator/people-part.tsx',
    path: operator('people'),
    steps: [name],
  })),
  ...[/^Drain /, /^Cancel the drain of /, /^Move the broadcasts of /].map((name) => ({
    file: 'areas/operator/servers-part.tsx',
    path: operator('servers'),
    steps: [name],
  })),
  ...['Pro', 'Full HD', 'Recordings'].map((title) => ({
    file: 'areas/operator/plan-dialog.tsx',
    path: operator('plans'),
    steps: [`Edit ${title}`],
  })),
  { file: 'areas/operator/plan-dialog.tsx', path: operator('plans'), steps: ['Add plan'] },
  { file: 'areas/operator/plan-action-dialog.tsx', path: operator('plans'), steps: ['More: Start', 'Archive'] },
  { file: 'areas/operator/plans-part.tsx', path: operator('plans'), steps: ['Projects'] },
  { file: 'areas/operator/plans-part.tsx', path: operator('plans'), steps: ['Change discounts'] },
  { file: 'areas/operator/periods-card.tsx', path: operator('plans'), steps: ['Stop selling'] },
  { file: 'areas/operator/promos-part.tsx', path: operator('promos'), steps: ['Add code'] },
  { file: 'areas/operator/promos-part.tsx', path: operator('promos'), steps: ['End code'] },
  ...[/^Mark payment \d+ as paid/, /^Refund payment/, /^Enter dispute/, /^End dispute/].map((name) => ({
    file: 'areas/operator/payment-dialogs.tsx',
    path: operator('payments'),
    steps: [name],
  })),
  { file: 'areas/operator/payment-dialogs.tsx', path: operator('payments'), steps: [/^Decide on payment/] },
  ...['Mark as sent', 'Refuse', 'Add method', 'Change method', 'Change percent'].map((name) => ({
    file: 'areas/operator/payouts-part.tsx',
    path: operator('payouts'),
    steps: [name],
  })),
  ...['Change seller', /^Change rate/, 'Change codes', 'Add country'].map((name) => ({
    file: 'areas/operator/papers-part.tsx',
    path: operator('papers'),
    steps: [name],
  })),
  { file: 'areas/operator/health-part.tsx', path: operator('health'), steps: [/^Give up Refund/] },
  { file: 'areas/operator/health-part.tsx', path: operator('health'), steps: [/^Decide on receipt/] },
  {
    file: 'areas/channels/bulk/bulk-text-dialog.tsx',
    path: own((id) => paths.channels(id)),
    steps: [(page) => page.getByRole('checkbox', { name: /Main/ }).check(), 'Title and description'],
  },
  { file: 'areas/channels/detail/channel-page.tsx', path: channel, steps: ['Delete channel…'] },
  { file: 'areas/channels/sharing/channel-sharing.tsx', path: channel, steps: ['Share…'] },
  {
    file: 'areas/channels/sharing/channel-sharing.tsx',
    path: ({ projectId, secondId }) => paths.channel(projectId, secondId),
    steps: ['Share…', shareWithGuest],
  },
  { file: 'areas/channels/sharing/sharing-guest.tsx', path: channel, steps: [/^Transfer to/] },
  {
    file: 'areas/channels/accounts/account-row.tsx',
    path: own((id) => paths.channels(id, 'accounts')),
    steps: ['Remove Robin'],
  },
  {
    file: 'areas/account/sessions-part.tsx',
    path: () => paths.account('sessions'),
    steps: ['Sign out everywhere else'],
  },
  { file: 'areas/account/authenticator-dialog.tsx', path: () => paths.account('security'), steps: ['Set up'] },
  {
    file: 'areas/account/recovery-codes.tsx',
    path: () => paths.account('security'),
    steps: [renewCodes, 'Replace codes'],
  },
  { file: 'areas/account/security-part.tsx', path: () => paths.account('security'), steps: [renewCodes, 'Remove app'] },
  { file: 'areas/account/passkeys.tsx', path: () => paths.account('security'), steps: [renewCodes, /^Remove: Laptop/] },
  { file: 'areas/account/create-api-token.tsx', path: () => paths.account('tokens'), steps: ['New token'] },
  { file: 'areas/account/new-api-token.tsx', path: () => paths.account('tokens'), steps: ['New token', createToken] },
  { file: 'areas/account/api-tokens-part.tsx', path: () => paths.account('tokens'), steps: ['Revoke: Deck'] },
  { file: 'areas/account/app-dialog.tsx', path: () => paths.account('apps'), steps: ['Register app'] },
  {
    file: 'areas/account/app-keys.tsx',
    path: () => paths.account('apps'),
    steps: ['New secret: Deck', 'Replace secret', showsKeys],
  },
  { file: 'areas/account/apps-part.tsx', path: () => paths.account('apps'), steps: ['Delete: Deck'] },
  { file: 'components/connected-apps.tsx', path: project(), steps: [scrollToApps, 'Disconnect: Deck'] },
  { file: 'app/shell/fresh-sign-in.tsx', path: () => paths.account('security'), steps: [oldSignIn, 'Set up'] },
  { file: 'areas/chat/keys-part.tsx', path: own(paths.chat), steps: ['Overlay and keys', /^Revoke/] },
  { file: 'areas/chat/widgets-part.tsx', path: own(paths.chat), steps: ['Widgets', /^Remove/] },
  { file: 'areas/chat/chat-panel.tsx', path: own(paths.chat), steps: [pressBan] },
  {
    file: 'areas/notifications/webhook-item.tsx',
    path: own((id) => paths.notifications(id, 'webhooks')),
    steps: ['New secret'],
  },
  { file: 'areas/billing/promo-card.tsx', path: billing(), steps: [enterCode, 'Use code'] },
  { file: 'areas/billing/transfer-card.tsx', path: billing(), steps: ['Move balance'] },
  { file: 'areas/billing/payouts-part.tsx', path: billing('payouts'), steps: ['Request payout'] },
  { file: 'areas/billing/payouts-part.tsx', path: billing('payouts'), steps: ['Cancel request'] },
  { file: 'areas/billing/methods-card.tsx', path: billing('cards'), steps: ['Delete'] },
  { file: 'areas/billing/history-table.tsx', path: billing('history'), steps: [/^Papers/] },
  { file: 'areas/ingest/qr-dialog.tsx', path: ingest(), steps: ['QR code for a phone'] },
  { file: 'areas/ingest/rotate-dialog.tsx', path: ingest(), steps: ['Replace stream key'] },
  { file: 'areas/media/rename-dialog.tsx', path: own(paths.media), steps: ['Rename: Trailer'] },
  { file: 'areas/media/remove-dialog.tsx', path: own(paths.media), steps: ['Delete: Trailer'] },
  { file: 'areas/ingest/stats-card.tsx', path: ingest(), steps: ['Replace address'] },
  { file: 'areas/ingest/create-pull-key.tsx', path: ingest('pull'), steps: ['New pull key'] },
  { file: 'areas/ingest/pull-key-row.tsx', path: ingest('pull'), steps: [/^Rename/] },
  { file: 'areas/ingest/pull-key-row.tsx', path: ingest('pull'), steps: [/^Delete/] },
  { file: 'areas/ingest/qr-dialog.tsx', path: ingest('pull'), steps: [/QR/] },
  { file: 'areas/ingest/transcoder-form.tsx', path: ingest('transcoders'), steps: ['New transcoder'] },
  { file: 'areas/ingest/transcoder-row.tsx', path: ingest('transcoders'), steps: ['Delete Half'] },
  { file: 'areas/tariffs/slots/cancel-plan.tsx', path: own(paths.tariffs), steps: ['Cancel next plan'] },
  {
    file: 'areas/tariffs/quote/buy-button.tsx',
    path: own((id) => `${paths.tariffs(id)}?period=month&plan=4`),
    steps: [/^(Buy|Extend) Business for/],
  },
  {
    file: 'areas/tariffs/quote/pay-dialog.tsx',
    path: own((id) => `${paths.tariffs(id)}?period=year&plan=4`),
    steps: [emptyBalance, /^Pay .* and buy$/],
  },
  { file: 'areas/broadcasts/schedule-dialog.tsx', path: schedule, steps: ['New schedule'] },
  { file: 'areas/broadcasts/schedule-row.tsx', path: schedule, steps: ['Stop: Trailer'] },
  { file: 'areas/broadcasts/schedule-row.tsx', path: schedule, steps: ['Delete: Trailer'] },
  {
    file: 'areas/broadcasts/recording-row.tsx',
    path: ({ projectId, broadcastId }) => paths.broadcast(projectId, broadcastId),
    steps: [/^Delete/],
  },
  // The last one, as it ends the session.
  { file: 'app/sign-in/sign-in-dialog.tsx', path: () => paths.account(), steps: [endSession] },
]

/** Sources of `src` without tests, by path. */
const sources: ReadonlyMap<string, string> = new Map(
  globSync('**/*.tsx', { cwd: 'src' })
    .filter((file) => !file.includes('.test.') && !file.startsWith('app/dev/'))
    .map((file) => [file, readFileSync(`src/${file}`, 'utf8')]),
)

/** Returns the components that render a dialog around what they receive, with their files: found, so that none is forgotten. */
function frames(): ReadonlyMap<string, string> {
  const found = new Map([['Dialog', 'ui/dialog.tsx']])
  for (let before = 0; before !== found.size;) {
    before = found.size
    for (const [file, source] of sources) {
      const name = /^export function (?<name>\w+Dialog)\b/m.exec(source)?.groups?.['name']
      if (name && countOf(source, found) > 0 && /^ {2}readonly children\??:/m.test(source)) found.set(name, file)
    }
  }
  return found
}

/** Returns how many dialogs a source renders. */
const countOf = (source: string, known: ReadonlyMap<string, string>): number =>
  source.match(new RegExp(`<(?:${[...known.keys()].join('|')})(?=[\\s<])`, 'g'))?.length ?? 0

test('opens each dialog of each file', () => {
  const known = frames()
  expect([...known.keys()]).toEqual(expect.arrayContaining(['ConfirmDialog', 'ReasonDialog', 'ChangeDialog']))
  const framing = new Set(known.values())
  const opens = (file: string): number => dialogs.filter((row) => row.file === file).length
  const rendering = [...sources].filter(([file, source]) => !framing.has(file) && countOf(source, known) > 0)
  expect(rendering.length).toBeGreaterThan(40)
  expect(
    rendering.filter(([file, source]) => opens(file) < countOf(source, known)).map(([file]) => file),
    'files with more dialogs than rows in `dialogs`',
  ).toEqual([])
  const files = new Set(rendering.map(([file]) => file))
  expect(
    dialogs.map(({ file }) => file).filter((file) => !files.has(file)),
    'rows of files without a dialog',
  ).toEqual([])
  const native = [...sources].filter(([, source]) => /<dialog\s|role="(?:alert)?dialog"/.test(source))
  expect(
    native.map(([file]) => file).filter((file) => file !== 'ui/dialog.tsx'),
    'files with a dialog that is not of the kit',
  ).toEqual([])
})

/** Parts that spread the dialogs over workers. */
const parts = 6

/** The dialogs of each part: those of one page are in one part, in the order of the list. */
function partsOf(scene: DialogScene): readonly (readonly Dialog[])[] {
  const made: Dialog[][] = Array.from({ length: parts }, () => [])
  const placed = new Map<string, Dialog[]>()
  for (const row of dialogs) {
    const path = row.path(scene)
    const smallest = made.reduce((least, one) => (one.length < least.length ? one : least))
    const place = placed.get(path) ?? smallest
    placed.set(path, place)
    place.push(row)
  }
  return made
}

for (let part = 0; part < parts; part++)
  test(`every dialog can be read and confirmed on a small phone and a small desktop, part ${part + 1}`, async ({
    page,
    person,
    another,
    service,
    login,
    goto,
    follow,
    watch,
  }) => {
    watch.allow(/status of 40[01]/)
    const scene = await dialogScene(service, person, await another({ name: 'Guest' }))
    await login()
    let plain = ''
    for (const { file, path, steps } of partsOf(scene)[part] ?? []) {
      await page.unrouteAll()
      await page.setViewportSize(sizes[1])
      const there = path(scene)
      // A page that other steps have changed is loaded again.
      const isBack = plain !== '' && (await isBackAt(page, plain))
      if (there !== plain || !isBack) await (isBack ? follow(there) : goto(there))
      plain = steps.some((step) => typeof step === 'function') ? '' : there
      for (const step of steps) await take(page, step, service, scene)
      await expect(page.getByRole('dialog').last(), file).toBeVisible()
      await settled(page)
      for (const size of sizes) {
        await page.setViewportSize(size)
        const where = `${file} (${steps.filter((step) => typeof step !== 'function').join(', ')}) at ${size.width}×${size.height}`
        expect.soft(await page.evaluate(unreachable), where).toEqual([])
      }
      expect.soft(await axeOfDialog(page), file).toEqual([])
    }
  })

async function take(page: Page, step: Dialog['steps'][number], service: Service, scene: DialogScene): Promise<void> {
  if (typeof step === 'function') {
    await step(page, service, scene)
    return
  }
  const inside = page.getByRole('dialog')
  const place = (await inside.count()) > 0 ? inside.last() : page.locator('body')
  await place.getByRole('button', { name: step, exact: true }).first().click()
}

/** Presses a button of the open dialog, and waits for the next dialog. */
function inDialog(name: string) {
  return async (page: Page): Promise<void> => {
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  }
}

/** Ends the session at the service while the profile has unsaved input. */
async function endSession(page: Page, service: Service): Promise<void> {
  await page.getByLabel('First name').fill('Grace')
  await settled(page)
  await service.app.db
    .updateTable('token_families')
    .set({ date_revoke: new Date().toISOString(), revoke_reason: 'sign-out' })
    .where('app', '=', 'site')
    .where('user_agent', 'like', 'Mozilla%')
    .execute()
  await page.getByRole('button', { name: 'Save profile' }).click()
}

const somePasskey = {
  id: 1,
  name: 'Laptop',
  host: 'localhost',
  date_create: '2026-03-01T10:00:00.000Z',
  date_use: null,
}

/** Shows an account with an authenticator app, whose recovery codes are replaced. */
async function renewCodes(page: Page): Promise<void> {
  const factors = {
    authenticator: '2026-03-01T10:00:00.000Z',
    passkeys: [somePasskey],
    recovery_codes: 3,
    browsers: [],
  }
  const recovery_codes = Array.from({ length: 10 }, (_, n) => `7K3M-Q2XW-9T4B-HN6${n}`)
  await page.route(`**${security.get.path}?*`, (route) => route.fulfill({ json: factors }))
  await page.route(`**${security.renewCodes.path}`, (route) => route.fulfill({ json: { recovery_codes } }))
  await page.reload()
}

/** Creates a token for a control surface. */
async function createToken(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill('Deck')
  await page.getByRole('checkbox', { name: 'Control surface' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Create token', exact: true }).click()
  await page.getByRole('dialog', { name: 'Your new token' }).waitFor()
}

/** Lets the service take the sign-in for older than 15 minutes. */
async function oldSignIn(page: Page): Promise<void> {
  const error = { name: 'SignInAgain', msg: '', validator_error: [], options: {}, data: {} }
  await page.unroute(`**${security.get.path}?*`)
  await page.route(`**${security.beginAuthenticator.path}`, (route) => route.fulfill({ status: 400, json: { error } }))
  await page.reload()
}

/** Shows a message in a chat that can be moderated, and presses the key for a ban. */
async function pressBan(page: Page): Promise<void> {
  await page.route(`**${chat.messages.path}?*`, (route) =>
    route.fulfill({ json: { total: 1, rev: 0, items: [messageOf(1, 'Troll', 'Message 1')] } }),
  )
  await page.route(`**${chat.capabilities.path}?*`, async (route) => {
    const answer = await (await route.fetch()).json()
    await route.fulfill({ json: { ...answer, may_write: true, results: [someChat] } })
  })
  await page.reload()
  await page.getByText('Message 1').waitFor()
  await page.getByRole('log', { name: 'Chat' }).focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('b')
}

async function enterCode(page: Page): Promise<void> {
  const { projectId } = /\/p\/(?<projectId>\d+)/.exec(page.url())?.groups ?? {}
  await page.getByRole('textbox', { name: 'Enter a code' }).fill(`DIALOG-${projectId}`)
}

/** Shows an installation without plans, which has limits of its own. */
async function withoutPlans(page: Page): Promise<void> {
  await page.route(`**${operatorSettings.get.path}?*`, async (route) => {
    const answer = await (await route.fetch()).json()
    await route.fulfill({ json: { ...answer, billing: 'off' } })
  })
  await page.reload()
}

/** Stops the broadcast from the palette. */
async function askToStop(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('stop')
  await page.getByRole('option', { name: /^Stop/ }).first().click()
}

/** Invites the project of the guest to the channel. */
async function shareWithGuest(page: Page, _: Service, { guestKey }: DialogScene): Promise<void> {
  await page.getByRole('textbox', { name: 'Public ID of the project' }).fill(guestKey)
  await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByRole('button', { name: 'Close', exact: true }).first().waitFor()
}
