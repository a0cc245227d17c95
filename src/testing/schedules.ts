// Schedules in page tests.
import type { UserEvent } from '@testing-library/user-event'
import { screen } from './page-test.tsx'

/** A day in a week, as fields of dates have it. */
export const inAWeek = (): string => new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)

/** Adds a video in the form of a schedule. */
export async function chooseVideo(user: UserEvent, name: RegExp): Promise<void> {
  await user.click(await screen.findByRole('combobox', { name: 'Add a video' }))
  await user.click(await screen.findByRole('option', { name }))
}
