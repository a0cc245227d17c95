// The pages of invitations name the account that answers, and the answer belongs to its session.
import { afterEach, vi } from 'vitest'
import { addChannel } from '#contract/areas/channels/add-channel.ts'
import { invites as channelInvites } from '#contract/areas/channels/invites.ts'
import { invites } from '#contract/areas/projects/invites.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { newTeam } from '#server/testing/team.ts'
import type { Person } from '#server/testing/test-app.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { createAuthSession } from '#src/session/session.ts'
import { button } from '#src/testing/find.ts'
import { expect, type PageFixtures, screen, test } from '#src/testing/page-test.tsx'

const originalChannel = globalThis.BroadcastChannel
afterEach(() => vi.stubGlobal('BroadcastChannel', originalChannel))

/** Without a channel between tabs the page notices another session only at its next read of the storage. */
const muteTabs = () => vi.stubGlobal('BroadcastChannel', undefined)

/** Signs in as another person in another tab of the browser. */
async function signInElsewhere(person: Person): Promise<void> {
  const { baseUrl } = apiRuntime()
  const session = createAuthSession({ baseUrl, apiVersion: '1', language: 'en', app: 'site' })
  await session.setSession(person)
  await session.dispose()
}

const links = {
  project: {
    async make({ api, service, person }: Pick<PageFixtures, 'api' | 'service' | 'person'>) {
      const project_id = await newTeam(service, person)
      const { url } = await api(invites.add, { project_id, access_type: 1 })
      const { pathname, hash } = new URL(url)
      return { path: pathname + hash, projectId: project_id, accepted: invites.accept }
    },
  },
  channel: {
    async make({ api, person }: Pick<PageFixtures, 'api' | 'service' | 'person'>) {
      const stream = { rtmp_url: 'rtmp://ingest.example.com/live', stream_key: 'key-4711' }
      const input = { project_id: person.projectId, type: 'youtube', name: 'Evening show', ...stream } as const
      const { channel_id } = await api(addChannel.any, input)
      const { url } = await api(channelInvites.addLink, { project_id: person.projectId, channel_id, access_type: 1 })
      const { pathname, search, hash } = new URL(url)
      return { path: pathname + search + hash, projectId: 0, accepted: channelInvites.acceptForSecret }
    },
  },
} as const

test.for(['project', 'channel'] as const)(
  'the invitation into a %s names the account, also after another one signed in in another tab',
  async (kind, { open, another, api, service, person }) => {
    const { path } = await links[kind].make({ api, service, person })
    const [zoe, ben] = [await another('Zoe'), await another('Ben')]
    await open(path, zoe)
    await screen.findByText(`You are signed in as Zoe (${zoe.email}).`)
    await signInElsewhere(ben)
    await screen.findByText(`Another account has signed in in this browser. You are now Ben (${ben.email}).`)
    await button('Accept')
    expect(screen.queryByText(/Zoe/)).toBeNull()
  },
)

test.for(['project', 'channel'] as const)(
  'the answer to an invitation into a %s is sent as the named account or not at all',
  async (kind, { open, another, api, service, person, user, answer }) => {
    const { path, projectId, accepted } = await links[kind].make({ api, service, person })
    const [zoe, ben] = [await another('Zoe'), await another('Ben')]
    const sent: string[] = []
    answer(accepted, (send) => {
      sent.push('accept')
      return send()
    })
    muteTabs()
    await open(path, zoe)
    const accept = await button('Accept')
    await screen.findByText(`You are signed in as Zoe (${zoe.email}).`)
    await signInElsewhere(ben)
    await user.click(accept)
    await screen.findByText(`Another account has signed in in this browser. You are now Ben (${ben.email}).`)
    expect(sent).toEqual([])
    expect(screen.queryByText(/does not respond/)).toBeNull()
    if (projectId > 0) {
      const { results } = await api(projects.members, { project_id: projectId })
      expect(results).toHaveLength(1)
    }
  },
)
