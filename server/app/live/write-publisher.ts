// Publishes each write to the realtime channels of the projects that it changes, by the name of its operation.
import { auth } from '#contract/areas/account/auth.ts'
import { profile, usersProfile } from '#contract/areas/account/profile.ts'
import { sessions } from '#contract/areas/account/sessions.ts'
import { settings } from '#contract/areas/account/settings.ts'
import { socials } from '#contract/areas/account/socials.ts'
import { paySystems } from '#contract/areas/billing/pay-systems.ts'
import { broadcasts } from '#contract/areas/broadcasts/broadcasts.ts'
import { recordings } from '#contract/areas/broadcasts/recordings.ts'
import { channels } from '#contract/areas/channels/channels.ts'
import { telegramChat } from '#contract/areas/channels/telegram-chat.ts'
import { members } from '#contract/areas/projects/members.ts'
import { projects } from '#contract/areas/projects/projects.ts'
import { restream } from '#contract/areas/tariffs/restream.ts'
import { operationsOf } from '#contract/core/group.ts'
import type { Operation } from '#contract/core/operation.ts'
import type { Services } from '#server/core/context.ts'
import type { Written } from '#server/core/http.ts'
import { publish } from '#server/domain/realtime/realtime.ts'
import { listProjectsOfChannel } from '#server/domain/channels/links-store.ts'

const accountGroups = [auth, profile, usersProfile, sessions, settings, socials]

/** Writes that change nothing that the pages of a project show. */
const silent: ReadonlySet<Operation> = new Set([
  ...accountGroups.flatMap(operationsOf),
  channels.test,
  telegramChat.init,
  projects.select,
  ...operationsOf(paySystems),
])

/** Writes that may end a session or a membership. */
const revoking: ReadonlySet<Operation> = new Set([
  ...operationsOf(sessions),
  ...operationsOf(members),
  settings.password,
  auth.logout,
])

/** Writes that do not change the project itself. */
const ofBroadcasts: ReadonlySet<Operation> = new Set([broadcasts, recordings].flatMap(operationsOf))

/** Creates the `onWrite` hook of the API. It does not wait: failures are logged. */
export function createWritePublisher(services: Services): Written {
  return function onWrite(operation, input, project) {
    if (revoking.has(operation)) services.realtime.recheck()
    if (silent.has(operation)) return
    const { channel_id: channelId } = input as { readonly channel_id?: number }
    void publishWrite(operation, project?.id ?? null, channelId ?? null).catch((error: unknown) =>
      services.log.error({ err: error, operation: operation.id }, 'A write was not published'),
    )
  }

  async function publishWrite(operation: Operation, projectId: number | null, channelId: number | null) {
    // A shared channel changes in every project that has it.
    const changed = new Set(channelId === null ? [] : await listProjectsOfChannel(services.db, channelId))
    if (projectId !== null) changed.add(projectId)
    for (const id of changed) {
      publish(services, { type: 'project_live', id }, { event: 'changed', payload: { operation: operation.id } })
      if (!ofBroadcasts.has(operation))
        publish(services, { type: 'project', id }, { event: 'project-update', payload: {} })
    }
  }
}

/** Publishes that the plan of a project expired: its plan and the states of its channels change. */
export function publishPlanEnd(services: Services, id: number): void {
  for (const { id: operation } of [restream.buy, channels.setStatus])
    publish(services, { type: 'project_live', id }, { event: 'changed', payload: { operation } })
  publish(services, { type: 'project', id }, { event: 'project-update', payload: {} })
}
