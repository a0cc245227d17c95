import type { ComponentProps } from 'react'
import styles from './checkbox.module.css'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className' | 'ref'>

/** Checkbox of a form, inside its label. @param isMixed some of the items that it stands for are chosen, not all */
export function Checkbox({ isMixed = false, ...rest }: Props & { readonly isMixed?: boolean }) {
  return (
    <input
      type="checkbox"
      className={styles.checkbox}
      ref={(box) => {
        if (box) box.indeterminate = isMixed
      }}
      {...rest}
    />
  )
}

/** Radio button, inside its label. Buttons of the same `name` are one group, which the arrow keys move in. */
export function Radio(props: Props) {
  return <input type="radio" className={styles.radio} {...props} />
}
