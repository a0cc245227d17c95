import { type ComponentProps, type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { Failure } from '#src/components/failure.tsx'
import { MessageList } from '#src/components/message-list/message-list.tsx'
import { platformOf } from '#src/components/message-list/rows.ts'
import { Button } from '#src/ui/button.tsx'
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { ChatAnnouncer } from './announcer.tsx'
import styles from './chat.module.css'
import { ChatStates } from './chat-states.tsx'
import { fitsOf, mentionOf, servedFilter, type View } from './chat-view.ts'
import { Composer } from './composer.tsx'
import { CannotWrite } from './missing-condition.tsx'
import { usePreferences } from './preferences.ts'
import { StarBar } from './star-bar.tsx'
import { canWrite, withChat } from './targets.ts'
import { type Done, useActs } from './use-acts.ts'
import { type Capabilities, type ChatBy, useMessages, useWatch } from './use-chat.ts'
import { useStar } from './use-star.ts'

interface Props {
  readonly by: ChatBy
  readonly caps: Capabilities
  readonly view: View
  readonly titleOf: (platform: string) => string
  /** Shows a person; absent: there is no place for it. */
  readonly onPerson?: (message: ChatMessage) => void
  /** Content of an empty list off air. */
  readonly empty?: ReactNode
  /** Beside the list, with the messages and what acts on them. */
  readonly aside?: (chat: ChatContent) => ReactNode
}

/** State that a side panel shares with the list. */
export interface ChatContent {
  readonly log: ReturnType<typeof useMessages>['log']
  readonly acts: ReturnType<typeof useActs>
}

/** The list of messages with its states, and the composer while on air. */
export function ChatPanel({ by, caps, view, titleOf, onPerson, empty, aside }: Props) {
  const { t } = useTranslation('chat')
  const { words } = usePreferences()
  const { results: rows, broadcast_id: broadcastId, on_air: isOnAir, may_write: mayWrite } = caps
  const chats = withChat(rows)
  const filter = useMemo(() => servedFilter(view, rows), [view, rows])
  const { log, first, ...older } = useMessages(by, broadcastId, isOnAir, filter)
  const isEmpty = !first.data?.items.length
  useWatch(by, isOnAir)
  const isMention = useMemo(() => mentionOf(words, rows), [words, rows])
  const fits = useMemo(() => fitsOf(view, isMention), [view, isMention])
  const [reply, setReply] = useState<ChatMessage | null>(null)
  const star = useStar(by, caps)
  const acts = useActs({
    by,
    broadcastId,
    rows,
    mayWrite,
    log,
    star,
    titleOf,
    onReply: setReply,
    onPerson,
  })
  const content: ChatContent = { log, acts }
  return (
    <>
      <div className={styles.panel}>
        {chats.length > 0 && <ChatStates {...{ rows: chats, isOnAir, titleOf, projectId: by.project_id }} />}
        {first.error && (
          <Failure
            title={t('failed')}
            error={first.error}
            isRetrying={first.isFetching}
            onRetry={() => void first.refetch()}
          />
        )}
        <StarBar star={star} onClear={mayWrite ? acts.clearStar : undefined} />
        <div className={styles.list}>
          {first.isLoading ? (
            <Skeleton height={240} />
          ) : (
            <MessageList
              {...{ log, fits, isMention, titleOf }}
              platform={view.platform}
              label={t('title')}
              actsOf={acts.actsOf}
              onAct={acts.onAct}
              againOf={isOnAir ? acts.againOf : undefined}
              onMissing={acts.announceMissing}
              onOlder={older.hasOlder ? () => void older.loadOlder() : undefined}
              isLoadingOlder={older.isLoadingOlder}
              hasPerson={onPerson !== undefined}
              empty={fits ? t('nothingFits') : isOnAir ? t('nothingYet') : (empty ?? t('offAir'))}
            />
          )}
        </div>
        <Outcome done={acts.done} />
        {!isOnAir && !isEmpty && <p className={styles.cannotWrite}>{t('lastBroadcast')}</p>}
        {isOnAir && (
          <Writing
            {...{ by, caps, reply, titleOf }}
            onCancelReply={() => setReply(null)}
            onSent={(message) => log.receive([{ is: 'message', message }])}
          />
        )}
        <ChatAnnouncer {...{ log, isMention }} />
      </div>
      {aside?.(content)}
      <BanDialog acts={acts} titleOf={titleOf} />
    </>
  )
}

type WritingProps = Pick<Props, 'by' | 'caps' | 'titleOf'> &
  Pick<ComponentProps<typeof Composer>, 'reply' | 'onCancelReply' | 'onSent'>

/** The composer, or why there is none. */
function Writing({ by, caps: { results, broadcast_id, may_write }, titleOf, reply, ...then }: WritingProps) {
  const { t } = useTranslation('chat')
  const rows = withChat(results)
  if (!may_write)
    return <p className={styles.cannotWrite}>{t(by.key === undefined ? 'missing.role' : 'missing.readingKey')}</p>
  if (!canWrite(rows) || broadcast_id === null) return <CannotWrite {...{ rows, titleOf, projectId: by.project_id }} />
  return (
    <Composer
      key={reply?.event_id ?? ''}
      {...{ rows, reply, titleOf, chatKey: by.key, ...then }}
      broadcastId={broadcast_id}
    />
  )
}

/** Outcome of the last act, announced, with "Undo" where that is possible. */
function Outcome({ done }: { readonly done: Done | null }) {
  const { t } = useTranslation('chat')
  return (
    <output className={styles.done} data-failure={done?.isFailure || undefined}>
      {done && <span>{done.text}</span>}
      {done?.undo && (
        <Button look="quiet" onClick={done.undo}>
          {t('undo')}
        </Button>
      )}
    </output>
  )
}

function BanDialog({ acts, titleOf }: { readonly acts: ChatContent['acts']; readonly titleOf: Props['titleOf'] }) {
  const { t } = useTranslation('chat')
  const { banning } = acts
  if (!banning) return null
  return (
    <ConfirmDialog
      title={t('ban.title', { name: banning.sender.name })}
      confirm={t('ban.confirm')}
      keep={t('ban.keep')}
      isDanger
      isBusy={acts.isBusy}
      onConfirm={acts.ban}
      onClose={acts.closeBan}
    >
      <p>{t('ban.text', { platform: titleOf(platformOf(banning)) })}</p>
    </ConfirmDialog>
  )
}
