// Page object of a project's members. Expectations stay in the specs.
import type { Locator, Page } from '@playwright/test'

export class TeamPage {
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  get members(): Locator {
    return this.page.getByRole('region', { name: /^\d+ members?$/ })
  }
  get invitations(): Locator {
    return this.page.getByRole('region', { name: /open invitation/i })
  }
  get dialog(): Locator {
    return this.page.getByRole('dialog')
  }
  member(name: string): Locator {
    return this.members.getByRole('listitem').filter({ hasText: name })
  }

  /** Creates an invitation by link. @returns the link */
  async invite(role: string): Promise<string> {
    await this.page.getByRole('button', { name: 'Invite', exact: true }).click()
    await this.dialog.getByRole('radio', { name: role }).check()
    await this.dialog.getByRole('button', { name: 'Create invitation' }).click()
    const link = await this.dialog.getByLabel('Link', { exact: true }).inputValue()
    await this.dialog.getByRole('button', { name: 'Close', exact: true }).click()
    return link
  }
  async open(name: string): Promise<void> {
    await this.member(name).getByRole('button').click()
  }
}
