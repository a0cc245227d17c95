// The chat page on the real service, beside the double of Twitch: what keys do at the platform, and a lost role.
import { randomUUID } from 'node:crypto'
import { afterAll } from 'vitest'
import { moderate } from '#contract/areas/chat/moderate.ts'
import { chat } from '#contract/areas/chat/chat.ts'
import { members } from '#contract/areas/projects/members.ts'
import { tokens } from '#contract/areas/realtime/tokens.ts'
import { twitchChatDouble } from '#server/testing/chat/twitch.ts'
import { beginBroadcast, someNodeOf } from '#server/testing/on-air.ts'
import { connect, registeredAt } from '#server/testing/providers/connected.ts'
import { paths } from '#src/lib/paths.ts'
import { button } from '#src/testing/find.ts'
import { expect, screen, testWith } from '#src/testing/page-test.tsx'

const double = await twitchChatDouble()
afterAll(() => double.close())

interface Air {
  readonly broadcast_id: number
  /** Writes a message as a viewer. */
  readonly say: (text: string) => string
  /** Commands that Twitch received: name, and what distinguishes them. */
  readonly acts: () => unknown[]
}

const test = testWith(registeredAt(double.base)).extend<{ air: Air }>({
  air: async ({ service, person }, use) => {
    const { body } = await connect(service, person, 'twitch')
    const node = someNodeOf(service, `node-${person.projectId}`)
    const { broadcast_id } = await beginBroadcast(service, person, node)
    await node.channel(person.projectId, body.channel_id ?? 0, 'live')
    const before = double.eventSub.acts.length
    await service.api(chat.watch, { project_id: person.projectId }, { as: person })
    await expect
      .poll(async () => (await service.api(chat.capabilities, { broadcast_id }, { as: person })).body.results[0]?.state)
      .toBe('reading')
    await use({
      broadcast_id,
      say: (text) => double.eventSub.say('777', text, { from: { id: '5', login: 'troll', name: 'Troll' } }),
      acts: () =>
        double.eventSub.acts
          .slice(before)
          .map(({ name, query, body: sent }) => ({ name, ...query, ...(sent as object) })),
    })
    await node.end(person.projectId)
  },
})

const log = () => screen.findByRole('log', { name: 'Chat' })

test('scenario 18: reads, times out, undoes and replies by keys alone, at the platform', async ({
  open,
  user,
  person,
  air,
}) => {
  const id = air.say('Spam')
  await open(paths.chat(person.projectId))
  await screen.findByText('Spam')
  ;(await log()).focus()
  await user.keyboard('{ArrowUp}')
  await expect.poll(() => document.activeElement?.textContent).toContain('Spam')
  await user.keyboard('t')
  await screen.findByText('Troll timed out for 1 minute.')
  ;(await button('Undo')).focus()
  await user.keyboard('{Enter}')
  await screen.findByText('Timeout of Troll ended.')
  ;(await log()).focus()
  await user.keyboard('{ArrowDown}r')
  await screen.findByText('Reply to Troll on Twitch')
  await expect.poll(() => document.activeElement?.tagName).toBe('INPUT')
  await user.keyboard('Please stop{Enter}')
  await expect.poll(() => air.acts().length).toBe(3)
  expect(air.acts()).toMatchObject([
    { name: 'POST moderation/bans', data: { user_id: '5', duration: 60 } },
    { name: 'DELETE moderation/bans', user_id: '5' },
    { name: 'POST chat/messages', message: 'Please stop', reply_parent_message_id: id },
  ])
  await screen.findByText('Please stop')
})

test('follows the chat after refused requests for its channel', async ({ open, person, answer, air }) => {
  let asked = 0
  answer(tokens.channel, (send, url) => {
    const isChat = url.searchParams.get('channel_name') === `$broadcast:${air.broadcast_id}`
    return isChat && ++asked <= 2 ? new Response('', { status: 404 }) : send()
  })
  await open(paths.chat(person.projectId))
  await expect.poll(() => asked).toBe(3)
  air.say('Still here')
  await screen.findByText('Still here')
})

test('scenario 7: an editor that becomes a viewer loses the controls of the open page, and is refused', async ({
  open,
  person,
  another,
  service,
  air,
  api,
}) => {
  const { projectId } = person
  const editor = await another('Ed')
  await service.join(editor, projectId, 1)
  await open(paths.chat(projectId), editor)
  await screen.findByRole('textbox', { name: /^Message/ })
  await api(members.changeAccess, { project_id: projectId, user_id: editor.id, access_type: 0 })
  await expect.poll(() => screen.queryByRole('textbox', { name: /^Message/ })).toBeNull()
  const as = { as: editor }
  const of = { broadcast_id: air.broadcast_id }
  const event_id = randomUUID()
  const refused = [
    await service.api(chat.send, { ...of, id: 'late', text: 'Late' }, as),
    await service.api(chat.remove, { ...of, event_id }, as),
    await service.api(moderate.act, { ...of, event_id, act: 'ban' }, as),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
  expect(air.acts()).toEqual([])
  expect(screen.queryByRole('button', { name: /Ban|Delete/ })).toBeNull()
})
