import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chat } from '#contract/areas/chat/chat.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { QueryPart } from '#src/components/query-part.tsx'
import { followKey } from '#src/realtime/key-feed.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import styles from './chat.module.css'
import { ChatPanel } from './chat-panel.tsx'
import { emptyView } from './chat-view.ts'
import { useTitleOf } from './member.ts'
import { type ChatBy, useCapabilities } from './use-chat.ts'

/** The chat as a dock of OBS. The key in the fragment takes the place of a session. */
export function DockPage() {
  const { t } = useTranslation('chat')
  const [key] = useState(() => new URLSearchParams(location.hash.replace(/^#/, '')).get('key') ?? '')
  return (
    <main className={styles.window}>
      <h1 className="visually-hidden">{t('title')}</h1>
      {key === '' ? <EmptyState title={t('dock.noKey')}>{t('dock.noKeyText')}</EmptyState> : <Dock chatKey={key} />}
    </main>
  )
}

function Dock({ chatKey }: { readonly chatKey: string }) {
  const { t } = useTranslation('chat')
  const queries = useQueryClient()
  const by: ChatBy = useMemo(() => {
    const { baseUrl, realtimeUrl } = apiRuntime()
    return {
      key: chatKey,
      pollMs: false,
      join: (broadcastId, listener) =>
        followKey({
          baseUrl,
          realtimeUrl,
          key: chatKey,
          listener: {
            ...listener,
            broadcast: (id) =>
              (id ?? 0) !== broadcastId &&
              void queries.invalidateQueries({ queryKey: chat.capabilities.id.split('.') }),
          },
        }),
    }
  }, [chatKey, queries])
  const titleOf = useTitleOf()
  const caps = useCapabilities(by)
  const isOffAir = caps.data?.on_air === false
  const { join } = by
  // While off air the panel listens to nothing: waits for the next broadcast here. No broadcast has the id 0.
  useEffect(() => (isOffAir ? join(0, { connected: () => {}, data: () => {} }) : undefined), [isOffAir, join])
  return (
    <QueryPart query={caps} failed={t('dock.failed')} skeleton={<Skeleton height={480} />}>
      {(data) => <ChatPanel {...{ by, titleOf }} caps={data} view={emptyView} />}
    </QueryPart>
  )
}
