import { IconSend, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chat } from '#contract/areas/chat/chat.ts'
import type { ChatCapability, ChatMessage } from '#contract/entities/chat-message.ts'
import { useFailureText } from '#src/components/failure.tsx'
import { useWriteForm } from '#src/components/form/use-write-form.ts'
import { platformOf } from '#src/components/message-list/rows.ts'
import { PlatformIcon } from '#src/components/platform-icon.tsx'
import { platformNamed } from '#src/components/use-platform.ts'
import { usePunctuation } from '#src/lib/punctuation.ts'
import { Button, IconButton } from '#src/ui/button.tsx'
import { Note } from '#src/ui/note.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import styles from './chat.module.css'
import { useQuotaText } from './quota.ts'
import { chosenTargets, defaultTargets, isWritable, lengthOf, textMax, tooLongFor } from './targets.ts'
import { withKey } from './use-chat.ts'

interface Props {
  readonly chatKey: string | undefined
  readonly broadcastId: number
  readonly rows: readonly ChatCapability[]
  readonly reply: ChatMessage | null
  readonly titleOf: (platform: string) => string
  readonly onCancelReply: () => void
  readonly onSent: (message: ChatMessage) => void
}

/** Writes a message to the chosen chats. Mounted anew for another message to reply to. */
export function Composer({ chatKey, broadcastId, rows, reply, titleOf, onCancelReply, onSent }: Props) {
  const { t } = useTranslation('chat')
  const { list } = usePunctuation()
  const why = useFailureText()
  const [chosen, setChosen] = useState(() => defaultTargets(rows, reply))
  const attempt = useRef({ content: '', id: '' })
  const targets = chosenTargets(rows, chosen)
  const form = useWriteForm({
    op: chat.send,
    values: { text: '' },
    inputOf: ({ text }) => {
      const content = {
        text: text.trim(),
        restreams: targets.flatMap(({ restream_id }) => restream_id ?? []),
        ...(reply && { reply_to: reply.event_id }),
      }
      return {
        ...withKey({ key: chatKey }),
        broadcast_id: broadcastId,
        id: attemptId(attempt.current, JSON.stringify(content)),
        ...content,
      }
    },
    rules: ({ text }) => ({ text: text.trim() === '' ? t('composer.empty') : undefined }),
    next: () => ({ text: '' }),
    onSuccess: (message) => {
      onSent(message)
      onCancelReply()
    },
  })
  const { text } = form.values
  const tooLong = tooLongFor(targets, text)
  const names = tooLong.map(({ platform }) => titleOf(platform)).join(list)
  const problem =
    targets.length === 0
      ? t('composer.noTargets')
      : tooLong.length > 0
        ? t('composer.tooLongFor', {
            names,
            max: Math.min(...tooLong.map(({ text_max }) => text_max)),
            length: lengthOf(text),
          })
        : null
  return (
    <form
      noValidate
      className={styles.composer}
      aria-label={t('composer.title')}
      onSubmit={(event) => {
        if (problem) event.preventDefault()
        else form.submit(event)
      }}
    >
      {reply && (
        <p className={styles.reply}>
          <span>{t('composer.replyTo', { name: reply.sender.name, platform: titleOf(platformOf(reply)) })}</span>
          <IconButton label={t('composer.cancelReply')} onClick={onCancelReply}>
            <IconX size={16} aria-hidden />
          </IconButton>
        </p>
      )}
      <Targets {...{ rows, chosen, titleOf }} onChange={setChosen} />
      <div className={styles.write}>
        <TextField
          label={t('composer.label')}
          isLabelHidden
          placeholder={t('composer.label')}
          autoComplete="off"
          limit={targets.length > 0 ? textMax(targets) : undefined}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- after "Reply" the user writes
          autoFocus={reply !== null}
          onKeyDown={(event) => event.key === 'Escape' && reply && onCancelReply()}
          {...form.field('text')}
        />
        <Button type="submit" isBusy={form.isBusy} isOff={problem !== null} aria-label={t('composer.send')}>
          <IconSend size={18} aria-hidden />
        </Button>
      </div>
      {problem && text !== '' && (
        <p className={styles.problem} role="status">
          {problem}{' '}
          {tooLong.length > 0 && tooLong.length < targets.length && (
            <Button look="quiet" onClick={() => setChosen(without(chosen, tooLong))}>
              {t('composer.without', { names })}
            </Button>
          )}
        </p>
      )}
      <Note tone="live">{form.problem && why(form.problem)}</Note>
    </form>
  )
}

/** Same content, same id: a repeated request is the same message. */
function attemptId(attempt: { content: string; id: string }, content: string): string {
  if (attempt.content !== content) Object.assign(attempt, { content, id: crypto.randomUUID() })
  return attempt.id
}

type Chosen = ReadonlyMap<number, boolean>

const without = (chosen: Chosen, rows: readonly ChatCapability[]): Chosen =>
  new Map([...chosen, ...rows.map(({ channel_id }) => [channel_id, false] as const)])

interface TargetsProps {
  readonly rows: readonly ChatCapability[]
  readonly chosen: Chosen
  readonly titleOf: (platform: string) => string
  readonly onChange: (chosen: Chosen) => void
}

/** Chats as switches. One that cannot be written to is a text with its reason. */
function Targets({ rows, chosen, titleOf, onChange }: TargetsProps) {
  const { t } = useTranslation('chat')
  const { stop } = usePunctuation()
  const quotaOf = useQuotaText()
  const shared = rows.filter((row, at) => rows.some((other, index) => index !== at && other.platform === row.platform))
  const nameOf = (row: ChatCapability) =>
    shared.includes(row) ? `${titleOf(row.platform)} · ${row.name}` : titleOf(row.platform)
  return (
    <ul className={styles.targets} aria-label={t('composer.targets')}>
      {rows.map((row) => {
        const isOn = isWritable(row) && chosen.get(row.channel_id) !== false
        const { type } = platformNamed(row.platform)
        const platform = titleOf(row.platform)
        const needs = row.send ? 'quota' : row.needs
        const why = needs === null ? t('need.unsupported', { platform }) : t(`missing.${needs}`, { platform })
        return (
          <li key={row.channel_id}>
            {isWritable(row) ? (
              <button
                type="button"
                className={styles.target}
                aria-pressed={isOn}
                title={[t('composer.limit', { max: row.text_max }), quotaOf(row)].filter(Boolean).join(stop)}
                onClick={() => onChange(new Map([...chosen, [row.channel_id, !isOn]]))}
              >
                <PlatformIcon type={type} size={18} />
                {nameOf(row)}
              </button>
            ) : (
              <span className={styles.target} data-off title={why}>
                <PlatformIcon type={type} size={18} />
                <s>{nameOf(row)}</s>
                <span className="visually-hidden">{why}</span>
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
