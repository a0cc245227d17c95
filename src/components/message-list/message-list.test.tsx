// The list of messages: scroll position, keys, hostile texts, and acts that a chat allows.
import { cleanup, fireEvent, render, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { startI18n } from '#src/lib/i18n.ts'
import i18next from 'i18next'
import { Suspense } from 'react'
import { afterEach, beforeEach } from 'vitest'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { expect, screen, test } from '#src/testing/page-test.tsx'
import type { Act, Allowed } from './acts.ts'
import { messageOf } from './fixtures.ts'
import { MessageList } from './message-list.tsx'
import { createMessageLog, type MessageLog } from './message-log.ts'

/** Address of a script. */
const scriptUrl = ['javascript', 'alert(1)'].join(':')

const everything: Allowed = {
  acts: [{ name: 'reply' }, { name: 'delete' }, { name: 'timeout', seconds: 60 }, { name: 'ban' }, { name: 'hide' }],
  missing: {},
}

let log: MessageLog
let done: (readonly [Act, string])[]
let missing: string[]

beforeEach(async () => {
  if (!i18next.isInitialized) await startI18n('en')
  log = createMessageLog()
  done = []
  missing = []
})

afterEach(cleanup)

async function show(
  actsOf: (message: ChatMessage) => Allowed = () => everything,
  fits: ((message: ChatMessage) => boolean) | null = null,
) {
  const view = render(
    <Suspense>
      <MessageList
        log={log}
        label="Chat"
        fits={fits}
        isMention={({ text }) => text.includes('@me')}
        actsOf={actsOf}
        onAct={(act, { text }) => done.push([act, text])}
        onMissing={(reason) => missing.push(reason)}
        titleOf={(platform) => platform}
        empty="No messages yet."
      />
    </Suspense>,
  )
  await screen.findByRole('log', { name: 'Chat' })
  return { ...view, user: userEvent.setup({ delay: null }) }
}

const arrive = (...messages: ChatMessage[]) => log.receive(messages.map((message) => ({ is: 'message', message })))
const rows = () => within(screen.getByRole('log')).getAllByRole('listitem')
const row = (text: string) => {
  const found = screen.getByText(text).closest('li')
  if (!found) throw new Error(`No row with ${text}`)
  return found
}
const pill = () => screen.queryByRole('button', { name: /new$/ })

test('is silent for screen readers, and numbers its rows', async () => {
  await show()
  await waitFor(() => arrive(messageOf(1), messageOf(2)))
  await screen.findByText('Message 2')
  expect(screen.getByRole('log')).toHaveAttribute('aria-live', 'off')
  expect(rows().map((one) => one.getAttribute('aria-posinset'))).toEqual(['1', '2'])
  expect(rows()[0]).toHaveAttribute('aria-setsize', '2')
})

test('stops under the pointer with the number of new messages, and follows again by Esc', async () => {
  arrive(messageOf(1), messageOf(2))
  const { user } = await show()
  fireEvent.pointerMove(row('Message 2'), { pointerType: 'mouse' })
  arrive(messageOf(3), messageOf(4))
  await waitFor(() => expect(pill()).toHaveTextContent('2 new'))
  expect(screen.queryByText('Message 3')).toBeNull()
  screen.getByRole('log').focus()
  await user.keyboard('{Escape}')
  await screen.findByText('Message 4')
  expect(pill()).toBeNull()
})

test('keeps a deleted message in its place while it is stopped', async () => {
  arrive(messageOf(1), messageOf(2))
  await show()
  fireEvent.pointerMove(row('Message 2'), { pointerType: 'mouse' })
  log.receive([{ is: 'deleted', eventId: 'e1' }])
  await screen.findByText('Message removed')
  expect(rows()).toHaveLength(2)
  fireEvent.pointerLeave(screen.getByRole('log'))
})

test('moves and acts by keys', async () => {
  arrive(messageOf(1), messageOf(2), messageOf(3))
  const { user } = await show((message) =>
    message.seq === 1 ? { acts: [], missing: { ban: 'Kick: connect the account again.' } } : everything,
  )
  screen.getByRole('log').focus()
  await user.keyboard('{ArrowUp}')
  await waitFor(() => expect(row('Message 3')).toHaveFocus())
  await user.keyboard('k')
  await waitFor(() => expect(row('Message 2')).toHaveFocus())
  await user.keyboard('rth{Delete}b')
  expect(done.map(([{ name, seconds }, text]) => [name, seconds, text])).toEqual([
    ['reply', undefined, 'Message 2'],
    ['timeout', 60, 'Message 2'],
    ['hide', undefined, 'Message 2'],
    ['delete', undefined, 'Message 2'],
    ['ban', undefined, 'Message 2'],
  ])
  await user.keyboard('{ArrowUp}')
  await waitFor(() => expect(row('Message 1')).toHaveFocus())
  await user.keyboard('b')
  expect([done.length, missing]).toEqual([5, ['Kick: connect the account again.']])
  arrive(messageOf(4))
  await waitFor(() => expect(pill()).toHaveTextContent('1 new'))
  await user.keyboard('{End}')
  await screen.findByText('Message 4')
  expect(screen.getByRole('log')).toHaveFocus()
})

test('offers the acts of the row in a menu, and reasons for the others', async () => {
  arrive(messageOf(1))
  const { user } = await show(() => ({
    acts: [{ name: 'reply' }],
    missing: { ban: 'Only reading.', delete: 'Only reading.' },
  }))
  fireEvent.pointerMove(row('Message 1'), { pointerType: 'mouse' })
  await user.click(await screen.findByRole('button', { name: 'Actions: message of Person 1' }))
  await screen.findByText('Only reading.')
  expect(screen.getAllByText('Only reading.')).toHaveLength(1)
  expect(screen.queryByRole('button', { name: /Ban|Delete/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Reply' }))
  expect(done).toEqual([[{ name: 'reply' }, 'Message 1']])
})

test('scenario 2: shows hostile texts as text', async () => {
  const script = '<script>alert(1)</script><img src=x onerror=alert(1)>'
  arrive(
    messageOf(1, {
      text: script,
      entities: [
        { type: 'text', text: script },
        { type: 'link', text: 'click', url: scriptUrl },
        { type: 'emoji', id: '1', name: script, image: scriptUrl },
      ],
      sender: {
        id: '1',
        name: '"><svg onload=alert(1)>',
        color: 'red;background:url(https://evil.test)',
        badges: [{ id: 'b', title: script, image: 'http://evil.test/a.png' }],
        roles: [],
      },
    }),
    messageOf(2, { name: '\u202Eevil\u202C', text: `${'ā́̂̃̄'.repeat(50)}${'😀'.repeat(2_000)}` }),
  )
  const { container } = await show()
  await screen.findByText('"><svg onload=alert(1)>')
  expect(screen.getAllByText(script)).toHaveLength(2)
  expect(container.querySelectorAll('script, img, svg[onload], a')).toHaveLength(0)
  const name = container.querySelector('bdi')
  expect(name?.getAttribute('style')).toBeNull()
  // A name with controls is isolated: it cannot turn the text beside it.
  expect(screen.getByText('\u202Eevil\u202C').tagName).toBe('BDI')
})

test('marks mentions, paid messages, gaps and messages left out', async () => {
  arrive(
    messageOf(1, { text: 'hi @me' }),
    messageOf(2, { kind: 'paid', paid: { amount: 500, currency: 'EUR', text: '5,00 €' } }),
  )
  log.receive([
    { is: 'note', note: { kind: 'gap', platform: 'Twitch', count: 0 } },
    { is: 'note', note: { kind: 'skipped', platform: 'Twitch', count: 120 } },
  ])
  await show()
  await screen.findByText('5,00 €')
  expect(row('hi @me').querySelector('[data-mention]')).not.toBeNull()
  expect(
    rows()
      .map(({ textContent }) => textContent)
      .slice(2),
  ).toEqual(['Twitch: messages may be missing here', 'Twitch: 120 messages left out, too many at once'])
})

test('marks a gap of all chats without the name of a platform', async () => {
  arrive(messageOf(1))
  log.receive([{ is: 'note', note: { kind: 'gap', platform: '', count: 0 } }])
  await show()
  await screen.findByText('Chat: messages may be missing here')
})

test('marks a gap in a filtered list, also where no message fits', async () => {
  arrive(messageOf(1))
  log.receive([{ is: 'note', note: { kind: 'gap', platform: 'Twitch', count: 0 } }])
  await show(
    () => everything,
    () => false,
  )
  await screen.findByText('No messages yet.')
  expect(rows().map(({ textContent }) => textContent)).toEqual(['Twitch: messages may be missing here'])
})
