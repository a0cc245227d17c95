// Finders for parts of the page that most page tests use.
import { screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'

export const region = (name: string | RegExp): Promise<HTMLElement> => screen.findByRole('region', { name })
export const dialog = (name?: string | RegExp): Promise<HTMLElement> =>
  screen.findByRole('dialog', name === undefined ? {} : { name })
export const button = (name: string | RegExp, inside?: HTMLElement): Promise<HTMLElement> =>
  (inside ? within(inside) : screen).findByRole('button', { name })

/** Confirms a dialog: presses its last button with a text, which the close button after it has not. */
export async function confirm(user: UserEvent): Promise<void> {
  const last = within(await dialog())
    .getAllByRole('button')
    .findLast(({ textContent }) => textContent !== '')
  if (!last) throw new Error('The dialog has no button with a text')
  await user.click(last)
}
