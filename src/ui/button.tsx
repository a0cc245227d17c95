import type { ComponentProps } from 'react'
import styles from './button.module.css'

type Look = 'filled' | 'outline' | 'quiet' | 'danger'

interface Props extends Omit<ComponentProps<'button'>, 'disabled'> {
  readonly look?: Look
  readonly isBusy?: boolean
  /** Disabled, with the reason in its description; stays in the tab order. */
  readonly isOff?: boolean
}

/** Class names of a button, for a link with its look. */
export const buttonClass = (look: Look = 'filled'): string => `${styles.button} ${styles[look]}`

/** A button with a label. While busy or off it ignores presses and keeps the focus. */
export function Button({ look = 'filled', isBusy = false, isOff = false, className = '', onClick, ...rest }: Props) {
  const isStill = isBusy || isOff
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonClass(look)} ${className}`}
      aria-busy={isBusy || undefined}
      aria-disabled={isStill || undefined}
      onClick={(event) => (isStill ? event.preventDefault() : onClick?.(event))}
    />
  )
}

/** A button with an icon only; its label is for assistive technology and the tooltip. */
export function IconButton({ label, className = '', ...rest }: ComponentProps<'button'> & { readonly label: string }) {
  return <button type="button" title={label} aria-label={label} {...rest} className={`${styles.icon} ${className}`} />
}

/** Class name of an icon button, for a link with its look. */
export const iconButtonClass: string = styles.icon ?? ''
