// Helpers for page tests of the tariffs page.
import { waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { region } from './find.ts'

const catalogue = () => region('Available plans')
const plan = async (title: string) => within(await catalogue()).findByRole('article', { name: title })
/** The quote of the chosen plan. */
const quote = async (name: string | RegExp) => within(await catalogue()).findByRole('region', { name })

async function choose(user: UserEvent, title: string): Promise<void> {
  await user.click(within(await plan(title)).getByRole('button', { name: /Choose|Extend/ }))
}

export const tariffs = {
  catalogue,
  plan,
  quote,
  choose,
  slot: async (name: 'Previous' | 'Current' | 'Next') =>
    within(await region('Plan of this project')).findByRole('article', { name }),
  /** The value of a labelled fact. */
  fact(of: HTMLElement, name: string): HTMLElement {
    const term = within(of)
      .getAllByRole('term')
      .find(({ textContent }) => textContent === name)
    const value = term?.parentElement?.querySelector('dd')
    if (!value) throw new Error(`No fact "${name}" in ${of.textContent}`)
    return value
  },
  /** Chooses a plan, waits for its quote and opens the question. */
  async askFor(user: UserEvent, title: string): Promise<void> {
    await choose(user, title)
    const buy = within(await quote(`Quote for ${title}`))
      .getAllByRole('button')
      .at(-1)
    if (!buy) throw new Error(`The quote for ${title} has no button`)
    await waitFor(() => {
      if (buy.getAttribute('aria-disabled') !== 'false') throw new Error(`${title} has no quote yet`)
    })
    await user.click(buy)
  },
}
