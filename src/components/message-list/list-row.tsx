import { IconArrowBackUp } from '@tabler/icons-react'
import { memo } from 'react'
import type { Language } from '#contract/core/wire.ts'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { platformNamed } from '#src/components/use-platform.ts'
import { IconButton } from '#src/ui/button.tsx'
import type { AgainOf, Allowed, OnAct } from './acts.ts'
import styles from './message-list.module.css'
import { MessageMenu } from './message-menu.tsx'
import type { ListTexts } from './list-texts.ts'
import { MessageRow } from './message-row.tsx'
import { platformOf, type Row } from './rows.ts'

interface Props {
  readonly row: Row
  readonly index: number
  readonly count: number
  readonly t: ListTexts
  readonly language: Language
  readonly titleOf: (platform: string) => string
  readonly minPx: number | undefined
  readonly measure: (element: HTMLLIElement | null) => void
  readonly isMention: boolean
  readonly parent: ChatMessage | undefined
  readonly allowed: Allowed
  readonly isActive: boolean
  readonly onActive: (key: string) => void
  readonly onAct: OnAct
  readonly againOf: AgainOf | undefined
  readonly onMenu: (reason: 'menu', isOpen: boolean) => void
}

/** A place in the list with its row. Only the active row has buttons. */
export const ListRow = memo(function ListRow(props: Props) {
  const { row, index, count, t, language, titleOf, minPx, measure, isActive, allowed, onActive, onAct } = props
  const hasActs = allowed.acts.length > 0 || Object.keys(allowed.missing).length > 0
  const reply = allowed.acts.find(({ name }) => name === 'reply')
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the row under the pointer gets its buttons
    <li
      ref={measure}
      className={styles.row}
      data-index={index}
      data-key={row.key}
      data-active={isActive || undefined}
      aria-posinset={index + 1}
      aria-setsize={count}
      tabIndex={-1}
      style={minPx === undefined ? undefined : { minHeight: minPx }}
      onPointerMove={() => isActive || onActive(row.key)}
      onFocus={() => isActive || onActive(row.key)}
    >
      {row.kind === 'message' ? (
        <MessageRow
          {...{ row, t, language }}
          {...platformNamed(platformOf(row.message))}
          title={titleOf(platformOf(row.message))}
          isMention={props.isMention}
          parent={props.parent}
          againOf={props.againOf}
        />
      ) : (
        <p className={styles.note} data-kind={row.kind}>
          {t(row.kind, { platform: row.platform === '' ? t('chat') : titleOf(row.platform), count: row.count })}
        </p>
      )}
      {row.kind === 'message' && isActive && hasActs && (
        <span className={styles.acts}>
          {reply && (
            <IconButton
              label={t('replyTo', { name: row.message.sender.name })}
              onClick={() => onAct(reply, row.message)}
            >
              <IconArrowBackUp size={18} aria-hidden />
            </IconButton>
          )}
          <MessageMenu
            {...{ message: row.message, allowed, t, onAct }}
            onOpen={(isOpen) => props.onMenu('menu', isOpen)}
          />
        </span>
      )}
    </li>
  )
})
