// Page object of a project's channels. Expectations stay in the specs.
import type { Locator, Page } from '@playwright/test'

export class ChannelsPage {
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  get list(): Locator {
    return this.page.getByRole('region', { name: 'Your channels' })
  }
  get search(): Locator {
    return this.page.getByRole('searchbox', { name: 'Search by name' })
  }
  get bulk(): Locator {
    return this.page.getByRole('region', { name: 'Selected channels' })
  }
  get dialog(): Locator {
    return this.page.getByRole('dialog')
  }
  get findPlatform(): Locator {
    return this.page.getByRole('searchbox', { name: 'Search platforms' })
  }

  row(name: string): Locator {
    return this.list.getByRole('listitem').filter({ has: this.page.getByRole('link', { name, exact: true }) })
  }
  switchOf(name: string): Locator {
    return this.page.getByRole('switch', { name: `Stream to ${name}`, exact: true })
  }
  /** Reason of a refusal. */
  refusal(name: string): Locator {
    return this.row(name).getByRole('alert')
  }

  async choose(...names: string[]): Promise<void> {
    for (const name of names) await this.page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
  }
  /** Adds a channel from list to list, by keyboard alone. */
  async addByKeyboard(platform: string, key: string): Promise<void> {
    const { keyboard } = this.page
    await this.page.getByRole('link', { name: 'Add channel' }).focus()
    await keyboard.press('Enter')
    await this.findPlatform.and(this.page.locator(':focus')).waitFor()
    await keyboard.type(platform)
    await keyboard.press('Enter')
    await this.page.getByLabel('Stream key').and(this.page.locator(':focus')).waitFor()
    await keyboard.type(key)
    await keyboard.press('Enter')
    await this.page.getByText('added.').waitFor()
  }
}
