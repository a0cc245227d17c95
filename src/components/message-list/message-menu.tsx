import { IconDots } from '@tabler/icons-react'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import type { ChatMessage } from '#contract/entities/chat-message.ts'
import { IconButton } from '#src/ui/button.tsx'
import { menuItemClass } from '#src/ui/menu.tsx'
import { type Act, type Allowed, isDanger, type OnAct } from './acts.ts'
import styles from './message-list.module.css'
import type { ListTexts } from './list-texts.ts'

interface Props {
  readonly message: ChatMessage
  readonly allowed: Allowed
  readonly t: ListTexts
  readonly onAct: OnAct
  /** The menu opened or closed. */
  readonly onOpen: (isOpen: boolean) => void
}

/** Distance to the edges of the window in pixels. */
const marginPx = 8

/** Menu of the acts on one message: those that its platform allows, and reasons for the others. */
export function MessageMenu({ message, allowed, t, onAct, onOpen }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  useLayoutEffect(() => {
    if (isOpen) place(list.current, button.current)
  }, [isOpen])
  useLayoutEffect(() => {
    const element = list.current
    const toggled = (event: Event) => {
      const { newState } = event as ToggleEvent
      setOpen(newState === 'open')
      onOpen(newState === 'open')
    }
    element?.addEventListener('toggle', toggled)
    return () => element?.removeEventListener('toggle', toggled)
  }, [onOpen])
  const choose = (act: Act) => {
    list.current?.hidePopover()
    onAct(act, message)
  }
  const reasons = [...new Set(Object.values(allowed.missing))]
  return (
    <>
      <IconButton
        ref={button}
        label={t('menu', { name: message.sender.name })}
        popoverTarget={id}
        data-menu
        className={styles.dots ?? ''}
      >
        <IconDots size={18} aria-hidden />
      </IconButton>
      <div id={id} ref={list} popover="auto" className={styles.menu}>
        {isOpen && (
          <>
            {allowed.acts.map((act) => (
              <button
                key={`${act.name} ${act.seconds ?? ''}`}
                type="button"
                className={menuItemClass}
                data-danger={isDanger(act) || undefined}
                onClick={() => choose(act)}
              >
                {wordsOf(act, t)}
              </button>
            ))}
            {reasons.map((reason) => (
              <p key={reason} className={styles.reason}>
                {reason}
              </p>
            ))}
          </>
        )}
      </div>
    </>
  )
}

/** Label of an act. */
export const wordsOf = ({ name, seconds }: Act, t: ListTexts): string =>
  seconds === undefined ? t(`act.${name}`) : t('act.timeoutFor', { time: t(`time.${seconds}`, { defaultValue: '' }) })

/** Puts the menu beside its button, inside of the window. */
function place(list: HTMLElement | null, button: HTMLElement | null): void {
  if (!list || !button) return
  const { top, bottom, right } = button.getBoundingClientRect()
  const { offsetHeight: height, offsetWidth: width } = list
  const isBelow = bottom + height + marginPx <= innerHeight
  list.style.top = `${Math.max(marginPx, isBelow ? bottom + 2 : top - height - 2)}px`
  list.style.left = `${Math.max(marginPx, right - width)}px`
  list.querySelector('button')?.focus()
}
