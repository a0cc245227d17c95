// A signed-in member as the caller of chat operations.
import { useMemo } from 'react'
import { platformNamed } from '#src/components/use-platform.ts'
import { joinChannel } from '#src/realtime/connection.ts'
import { usePolling } from '#src/realtime/store.ts'
import type { ChatBy } from './use-chat.ts'

const pollMs = 5_000

const join: ChatBy['join'] = (id, listener) => joinChannel('broadcast', id, listener)

/** Member in a project: listens on the realtime connection of the page, else polls. */
export function useMember(projectId: number): ChatBy {
  const polling = usePolling(projectId, pollMs)
  return useMemo(() => ({ project_id: projectId, join, pollMs: polling }), [projectId, polling])
}

/** Function that names platforms. */
export function useTitleOf(): (platform: string) => string {
  return (platform) => platformNamed(platform).title
}
