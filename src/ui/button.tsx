import type { ComponentProps } from 'react'
import styles from './button.module.css'

type Look = 'filled' | 'outline' | 'quiet' | 'danger'

interface Props extends Omit<ComponentProps<'button'>, 'disabled'> {
  readonly look?: Look
  readonly isBusy?: boolean
  /** Cannot be pressed, and says why in its description; it keeps its place in the order of the keyboard. */
  readonly isOff?: boolean
}

/** The classes of a button, for a link that looks like one. */
export const buttonClass = (look: Look = 'filled'): string => `${styles.button} ${styles[look]}`

/** A button with words. While it is busy or off it does nothing, and stays where it is. */
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

/** A button with a picture alone; its words are for those who cannot see it, and for whoever waits over it. */
export function IconButton({ label, className = '', ...rest }: ComponentProps<'button'> & { readonly label: string }) {
  return <button type="button" title={label} aria-label={label} {...rest} className={`${styles.icon} ${className}`} />
}

/** The class of an icon button, for a link that looks like one. */
export const iconButtonClass: string = styles.icon ?? ''
