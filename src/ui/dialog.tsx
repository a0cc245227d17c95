import { IconX } from '@tabler/icons-react'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './button.tsx'
import styles from './dialog.module.css'

interface Props {
  readonly title: string
  /** Hides the heading visually; assistive technology still reads it. */
  readonly isTitleHidden?: boolean
  readonly children: ReactNode
  readonly onClose: () => void
}

/**
 * The native dialog: it traps the focus, closes on Escape, on a click outside and by its button, and returns the focus. Its
 * content scrolls below the title.
 */
export function Dialog({ title, isTitleHidden = false, children, onClose }: Props) {
  const { t } = useTranslation('common', { keyPrefix: 'dialog' })
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  const isAway = useRef(false)
  useLayoutEffect(() => {
    const dialog = ref.current
    isAway.current = false
    dialog?.showModal()
    return () => {
      // Removed, or hidden while a child loads: the user has not closed it.
      isAway.current = true
      dialog?.close()
    }
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape does the same
    <dialog
      ref={ref}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // Browsers close it on a second Escape, even when the first one was cancelled.
      onClose={() => ref.current?.open || isAway.current || onClose()}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div className={styles.scroll}>
        <div className={styles.inside} data-bare={isTitleHidden || undefined}>
          <h2 id={id} className={isTitleHidden ? 'visually-hidden' : styles.title}>
            {title}
          </h2>
          {children}
        </div>
      </div>
      {/* Last, because a dialog focuses its first control when it opens. */}
      <IconButton label={t('close')} className={styles.close} onClick={onClose}>
        <IconX size={18} aria-hidden />
      </IconButton>
    </dialog>
  )
}
