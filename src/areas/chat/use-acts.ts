// Acts on messages of a chat: sent to the service, shown immediately, and undone where that is possible.
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chat } from '#contract/areas/chat/chat.ts'
import { moderate } from '#contract/areas/chat/moderate.ts'
import type { Input } from '#contract/core/operation.ts'
import type { ChatCapability, ChatMessage } from '#contract/entities/chat-message.ts'
import { useWrite } from '#src/api/query.ts'
import { useFailureText } from '#src/components/failure.tsx'
import type { Act, ActsOf, AgainOf, OnAct } from '#src/components/message-list/acts.ts'
import type { MessageLog } from '#src/components/message-list/message-log.ts'
import { personOf, platformOf } from '#src/components/message-list/rows.ts'
import { allowedActs, type Missing, rowOfMessage } from './allowed.ts'
import { isWritable } from './targets.ts'
import { type ChatBy, withKey } from './use-chat.ts'
import type { Star } from './use-star.ts'

/** Outcome of the last act. */
export interface Done {
  readonly text: string
  readonly isFailure: boolean
  readonly undo: (() => void) | null
}

interface Options {
  readonly by: ChatBy
  readonly broadcastId: number | null
  readonly rows: readonly ChatCapability[]
  readonly mayWrite: boolean
  readonly log: MessageLog
  readonly star: Star
  readonly titleOf: (platform: string) => string
  readonly onReply: (message: ChatMessage) => void
  /** Absent: the page shows no details of a person. */
  readonly onPerson: ((message: ChatMessage) => void) | undefined
}

type Moderation = Input<typeof moderate.act>['act']

const opposite: Partial<Record<Moderation, Moderation>> = { timeout: 'untimeout', ban: 'unban', hide: 'show' }

/** Returns the acts of a message, a function that runs one, and what the page shows about them. */
export function useActs({ by, broadcastId, rows, mayWrite, log, star, titleOf, onReply, onPerson }: Options) {
  const { t } = useTranslation('chat')
  const whyFailed = useFailureText()
  const act = useWrite(moderate.act)
  const remove = useWrite(chat.remove)
  const again = useWrite(chat.again)
  const [done, setDone] = useState<Done | null>(null)
  const [banning, setBanning] = useState<ChatMessage | null>(null)
  const [restricted, setRestricted] = useState<ReadonlyMap<string, 'timeout' | 'ban'>>(new Map())

  const actsOf: ActsOf = useCallback(
    (message) => {
      const row = rowOfMessage(message, rows)
      const platform = titleOf(platformOf(message))
      const words = (missing: Missing) => t(`missing.${missing}`, { platform })
      const isStarred = message.event_id === star.id
      const standing = { mayWrite, isStarred, restricted: restricted.get(personOf(message)) ?? null }
      return allowedActs(message, row, standing, words)
    },
    [rows, mayWrite, restricted, star.id, titleOf, t],
  )

  const fail = (error: unknown) => setDone({ text: whyFailed(error), isFailure: true, undo: null })
  const which = { ...withKey(by), broadcast_id: broadcastId ?? 0 }

  function run(name: Moderation, message: ChatMessage, seconds?: number): void {
    const input = { ...which, event_id: message.event_id, act: name, ...(seconds !== undefined && { seconds }) }
    act.mutate(input, {
      onError: fail,
      onSuccess: () => {
        const back = opposite[name]
        const time = seconds === undefined ? '' : t(`chat-list:time.${seconds}`)
        const undo = back ? () => run(back, message) : null
        setDone({ text: t(`done.${name}`, { name: message.sender.name, time }), isFailure: false, undo })
        if (name === 'hide' || name === 'show') setHidden(log, message.event_id, name === 'hide')
        else setRestricted((known) => withRestriction(known, personOf(message), name))
      },
    })
  }

  function deleteMessage(message: ChatMessage): void {
    remove.mutate(
      { ...which, event_id: message.event_id },
      {
        onError: fail,
        onSuccess: ({ results }) => {
          log.receive([{ is: 'deleted', eventId: message.event_id }])
          const failed = results.find(({ done: how }) => how === 'failed')
          setDone({ text: t(failed ? 'done.deletedHere' : 'done.delete'), isFailure: Boolean(failed), undo: null })
        },
      },
    )
  }

  function starMessage(message: ChatMessage, isOn: boolean): void {
    const text = t(isOn ? 'done.star' : 'done.unstar', { name: message.sender.name })
    star.set(isOn ? message.event_id : null, {
      onError: fail,
      onSuccess: () => setDone({ text, isFailure: false, undo: () => starMessage(message, !isOn) }),
    })
  }

  const onAct: OnAct = ({ name, seconds }: Act, message) => {
    setDone(null)
    if (name === 'reply') return onReply(message)
    if (name === 'person') return onPerson?.(message)
    if (name === 'ban') return setBanning(message)
    if (name === 'star' || name === 'unstar') return starMessage(message, name === 'star')
    if (name === 'delete') return deleteMessage(message)
    return run(name, message, seconds)
  }

  const againOf: AgainOf = useCallback(
    ({ event_id }, restream_id) => {
      const isOffered = mayWrite && rows.some((row) => row.restream_id === restream_id && isWritable(row))
      if (!isOffered) return null
      const onSuccess = (sent: ChatMessage) => log.receive([{ is: 'message', message: sent }])
      return () => again.mutate({ ...which, event_id, restream_id }, { onError: fail, onSuccess })
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the parts of `which`
    [mayWrite, rows, by.key, broadcastId, log],
  )

  return {
    actsOf,
    onAct,
    againOf,
    done,
    announceMissing: (text: string) => setDone({ text, isFailure: true, undo: null }),
    clearStar: () => star.message && starMessage(star.message, false),
    banning,
    isBusy: act.isPending,
    closeBan: () => setBanning(null),
    ban: () => {
      if (banning) run('ban', banning)
      setBanning(null)
    },
  }
}

function setHidden(log: MessageLog, eventId: string, isHidden: boolean): void {
  log.receive([{ is: 'changed', eventId, change: (known) => ({ ...known, hidden: isHidden ? 'person' : null }) }])
}

function withRestriction(
  known: ReadonlyMap<string, 'timeout' | 'ban'>,
  person: string,
  name: Moderation,
): ReadonlyMap<string, 'timeout' | 'ban'> {
  const next = new Map(known)
  if (name === 'timeout' || name === 'ban') next.set(person, name)
  else next.delete(person)
  return next
}
