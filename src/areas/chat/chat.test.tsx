// The chat page on the real service: keys only, realtime, roles and hostile texts.
import { within } from '@testing-library/react'
import { chat } from '#contract/areas/chat/chat.ts'
import { moderate } from '#contract/areas/chat/moderate.ts'
import type { ChatCapability, ChatMessage } from '#contract/entities/chat-message.ts'
import { onAirOf, someNodeOf } from '#server/testing/on-air.ts'
import { capabilityOf, messageOf } from '#src/components/message-list/fixtures.ts'
import { paths } from '#src/lib/paths.ts'
import { button, confirm, dialog } from '#src/testing/find.ts'
import { expect, screen, test as base } from '#src/testing/page-test.tsx'

interface Stage {
  readonly broadcastId: number
  /** Answers with these chats and messages. */
  readonly show: (
    rows: readonly ChatCapability[],
    items: readonly ChatMessage[],
    mayWrite?: boolean,
    isOnAir?: boolean,
  ) => void
  /** Publishes messages that arrive. */
  readonly arrive: (...messages: ChatMessage[]) => void
  /** Requests for moderation and sending, in order. */
  readonly sent: Record<string, unknown>[]
}

const test = base.extend<{ stage: Stage }>({
  stage: async ({ service, person, answer }, use) => {
    await someNodeOf(service, `node-${person.projectId}`).begin(person.projectId)
    const { broadcast_id: broadcastId } = await onAirOf(service, person)
    const sent: Record<string, unknown>[] = []
    await use({
      broadcastId,
      sent,
      show: (results, items, may_write = true, on_air = true) => {
        answer(chat.capabilities, () =>
          Response.json({
            broadcast_id: broadcastId,
            on_air,
            may_write,
            hold_back: 0,
            starred: null,
            star_rev: 0,
            results,
          }),
        )
        answer(chat.messages, () => Response.json({ total: items.length, rev: 0, items }))
      },
      arrive: (...messages) =>
        service.services.realtime.publish(
          { type: 'broadcast', id: broadcastId },
          {
            event: 'messages',
            broadcast_id: broadcastId,
            event_id: 'batch',
            restream_id: null,
            platform: null,
            payload: messages.map((message) => ({ action: 'got', ...message })),
          },
        ),
    })
  },
})

const log = () => screen.findByRole('log', { name: 'Chat' })

test('scenario 18: reads, answers and moderates by keys alone', async ({ open, user, person, stage, answer }) => {
  stage.show([capabilityOf()], [messageOf(1), messageOf(2, { name: 'Troll' })])
  await open(paths.chat(person.projectId))
  await screen.findByText('Message 2')
  answer(moderate.act, async (_send, _url) => Response.json({ done: true }, { status: 201 }))
  ;(await log()).focus()
  await user.keyboard('{ArrowUp}')
  await expect.poll(() => document.activeElement?.textContent).toContain('Message 2')
  await user.keyboard('t')
  await screen.findByText('Troll timed out for 1 minute.')
  await user.click(await button('Undo'))
  await screen.findByText('Timeout of Troll ended.')
  ;(await log()).focus()
  await user.keyboard('{ArrowDown}b')
  await dialog('Ban Troll?')
  await confirm(user)
  await screen.findByText('Troll banned.')
  ;(await log()).focus()
  await user.keyboard('{ArrowDown}r')
  await screen.findByText('Reply to Troll on Twitch')
  expect(await screen.findByRole('textbox', { name: /^Message/ })).toHaveFocus()
})

test('names a chat once where the channel has the name of its platform', async ({ open, person, stage }) => {
  stage.show([capabilityOf({ name: 'Twitch' }), capabilityOf({ channel_id: 6, restream_id: 2, name: 'Two' })], [])
  await open(paths.chat(person.projectId))
  await screen.findByText('2 of 2 chats connected')
  const list = screen.getByRole('list', { name: 'Chats', hidden: true })
  const rows = within(list).getAllByRole('listitem', { hidden: true })
  expect(rows.map(({ textContent }) => textContent.trim())).toEqual(['Twitch: connected.', 'Twitch Two: connected.'])
})

test('names what is left of the requests of YouTube today', async ({ open, person, stage }) => {
  const quota = { read: { left: 4_200, of: 6_000 }, write: { left: 500, of: 2_000 }, until: '2026-11-23T08:00:00.000Z' }
  stage.show([capabilityOf({ platform: 'youtube', quota })], [])
  await open(paths.chat(person.projectId))
  await screen.findByText(/Left of today’s requests: 70% for reading, 25% for writing\./)
  expect(await button('YouTube')).toHaveAttribute('title', expect.stringContaining('70% for reading'))
})

test('offers no chat whose requests for writing are used up, and names the reason of a message that was not sent', async ({
  open,
  person,
  stage,
}) => {
  const used = { read: { left: 4_200, of: 6_000 }, write: { left: 0, of: 2_000 }, until: '2026-11-23T08:00:00.000Z' }
  const [target] = messageOf(1).restreams
  const failed = [
    { ...target!, platform: 'youtube', restream_id: 2, state: 'failed' as const, error: 'quota' },
    { ...target!, state: 'failed' as const, error: 'TooFast' },
  ]
  const rows = [capabilityOf(), capabilityOf({ channel_id: 6, restream_id: 2, platform: 'youtube', quota: used })]
  stage.show(rows, [messageOf(1, { is_outgoing: true, restreams: failed })])
  await open(paths.chat(person.projectId))
  const targets = await screen.findByRole('list', { name: 'Send to' })
  expect(within(targets).getAllByRole('button')).toHaveLength(1)
  await expect.poll(() => targets).toHaveTextContent('YouTube: today’s request limit is used up.')
  await screen.findByText('YouTube: not delivered, today’s request limit is used up')
  // "Send again" is offered only for the chat that accepts a message.
  expect(screen.getAllByRole('button', { name: /^Send again/ }).map(({ textContent }) => textContent)).toEqual([
    'Send again Twitch',
  ])
})

test('names a used-up quota once, until when, and links its article', async ({ open, person, stage }) => {
  const gone = { state: 'waiting', reason: 'quota', until: '2026-11-23T08:00:00.000Z' } as const
  stage.show([capabilityOf({ platform: 'youtube', ...gone })], [])
  await open(paths.chat(person.projectId))
  expect(await screen.findAllByText(/Today’s request limit of YouTube is used up\./)).toHaveLength(1)
  const link = screen.getByRole('link', { name: 'Read more', hidden: true })
  expect(link).toHaveAttribute('href', paths.help('chat/youtube-quota'))
})

test('shows what arrives, and sends again only to a target that failed', async ({
  open,
  user,
  person,
  stage,
  answer,
}) => {
  stage.show([capabilityOf()], [messageOf(1)])
  await open(paths.chat(person.projectId))
  await expect
    .poll(() => (stage.arrive(messageOf(2)), screen.queryByText('Message 2')), { timeout: 20_000 })
    .not.toBeNull()
  const target = messageOf(3).restreams[0]!
  const failed = { ...target, state: 'failed', error: 'TooFast' } as const
  const own = messageOf(3, {
    is_outgoing: true,
    restreams: [failed, { ...target, restream_id: 2, platform: 'youtube' }],
  })
  stage.arrive(own)
  const again = await button(/^Send again/)
  expect(screen.getAllByRole('button', { name: /^Send again/ })).toHaveLength(1)
  answer(chat.again, () => Response.json({ ...own, rev: 4, restreams: [target] }, { status: 201 }))
  await user.click(again)
  await expect.poll(() => screen.queryByRole('button', { name: /^Send again/ })).toBeNull()
})

test('off air, shows the chat of the last broadcast, and follows it', async ({ open, person, stage }) => {
  const restreams = messageOf(1).restreams.map((target) => ({ ...target, state: 'failed' as const, error: 'lost' }))
  const own = messageOf(1, { is_outgoing: true, restreams })
  stage.show([capabilityOf({ restream_id: null, state: 'off' })], [own], true, false)
  await open(paths.chat(person.projectId))
  await screen.findByText(/^Off air\. This is the chat of your last broadcast/)
  await screen.findByText('1 chat of the next broadcast')
  await screen.findByText('Twitch: not delivered')
  expect(screen.queryByRole('button', { name: /^Send again/ })).toBeNull()
  await expect
    .poll(() => (stage.arrive(messageOf(2)), screen.queryByText('Message 2')), { timeout: 20_000 })
    .not.toBeNull()
})

test('gives a viewer no control, and a reason for a chat that cannot be written to', async ({
  open,
  person,
  stage,
}) => {
  stage.show([capabilityOf({ send: false, needs: 'scope' })], [messageOf(1)], false)
  await open(paths.chat(person.projectId))
  await screen.findByText('Message 1')
  expect(screen.queryByRole('textbox', { name: /^Message/ })).toBeNull()
  stage.show([capabilityOf({ send: false, reply: false, needs: 'scope' })], [messageOf(1)])
  await open(paths.chat(person.projectId))
  const why = await screen.findByRole('region', { name: 'Why you cannot write' })
  expect(why).toHaveTextContent('Twitch One: To write and moderate, connect the account again with chat. Connect')
  expect(within(why).getByRole('link')).toHaveAttribute('href', paths.channels(person.projectId, 'accounts'))
  expect(screen.queryByRole('textbox', { name: /^Message/ })).toBeNull()
  stage.show([capabilityOf(), capabilityOf({ channel_id: 6, restream_id: 2, send: false, needs: 'scope' })], [])
  await open(paths.chat(person.projectId))
  const targets = await screen.findByRole('list', { name: 'Send to' })
  expect(targets).toHaveTextContent('Twitch: connect the account again with chat to write and moderate.')
  expect(within(targets).getAllByRole('button')).toHaveLength(1)
})

test('stars a message by its key until the same key clears it', async ({ open, user, person, stage, answer }) => {
  stage.show([capabilityOf()], [messageOf(1)])
  let changes = 0
  answer(chat.message, () => Response.json(messageOf(1)))
  answer(moderate.star, () => Response.json({ event_id: null, star_rev: ++changes }, { status: 201 }))
  await open(paths.chat(person.projectId))
  await screen.findByText('Message 1')
  ;(await log()).focus()
  await user.keyboard('{ArrowUp}')
  await expect.poll(() => document.activeElement?.textContent).toContain('Message 1')
  await user.keyboard('s')
  expect(await screen.findByRole('region', { name: 'In the overlay' })).toHaveTextContent('Person 1 Message 1')
  await screen.findByText('Message of Person 1 is in the overlay.')
  await user.keyboard('s')
  await screen.findByText('Message of Person 1 removed from the overlay.')
  expect(screen.queryByRole('region', { name: 'In the overlay' })).toBeNull()
})

test('names the platform whose limit a message exceeds, and sends without it', async ({
  open,
  fill,
  person,
  stage,
}) => {
  const youtube = capabilityOf({ channel_id: 6, restream_id: 2, platform: 'youtube', text_max: 5 })
  stage.show([capabilityOf(), youtube], [messageOf(1)])
  await open(paths.chat(person.projectId))
  await fill(/^Message/, 'longer text')
  await screen.findByText(/YouTube: at most 5 characters, your message has 11\./)
  await button('Leave out YouTube')
})

test('counts characters of a message, not code units', async ({ open, fill, person, stage }) => {
  stage.show([capabilityOf({ text_max: 5 })], [messageOf(1)])
  await open(paths.chat(person.projectId))
  await fill(/^Message/, '😀😀😀😀😀')
  await screen.findByText('5 / 5')
})
