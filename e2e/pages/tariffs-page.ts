// Page object of the tariff page. Expectations stay in the specs.
import type { Locator, Page } from '@playwright/test'

export class TariffsPage {
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  get slots(): Locator {
    return this.page.getByRole('region', { name: 'Plan of this project' })
  }
  get catalogue(): Locator {
    return this.page.getByRole('region', { name: 'Available plans' })
  }
  get balance(): Locator {
    return this.catalogue.getByText('Balance').first()
  }
  get dialog(): Locator {
    return this.page.getByRole('dialog')
  }
  get cancelNext(): Locator {
    return this.page.getByRole('button', { name: 'Cancel next plan' })
  }

  slot(name: 'Previous' | 'Current' | 'Next'): Locator {
    return this.slots.getByRole('article', { name, exact: true })
  }
  /** Text of one fact of a slot or of a plan in the catalogue. */
  fact(of: Locator, name: string): Locator {
    return of
      .locator('div')
      .filter({ has: this.page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) }) })
      .last()
      .getByRole('definition')
  }
  plan(title: string): Locator {
    return this.catalogue.getByRole('article', { name: title, exact: true })
  }
  /** The quote of the chosen plan. */
  quote(title: string | RegExp): Locator {
    return this.catalogue.getByRole('region', { name: typeof title === 'string' ? `Quote for ${title}` : title })
  }
  buyButton(title: string | RegExp): Locator {
    return this.quote(title).getByRole('button').last()
  }
  /** Status message of the last action. */
  done(title: 'Bought' | 'Cancelled'): Locator {
    return this.page.getByRole('region', { name: title })
  }

  async choose(title: string): Promise<void> {
    await this.plan(title)
      .getByRole('button', { name: /Choose|Extend/ })
      .click()
  }
  async yearly(): Promise<void> {
    await this.catalogue.getByText('Yearly').click()
  }
  /** Chooses a plan, waits for the quote, and opens the confirmation. */
  async askFor(title: string): Promise<void> {
    await this.choose(title)
    await this.buyButton(title).and(this.page.locator('[aria-disabled=false]')).click()
  }
  /** Confirms the purchase. */
  async confirm(): Promise<void> {
    await this.dialog.getByRole('button').filter({ hasText: /./ }).last().click()
  }
  async buy(title: string): Promise<void> {
    await this.askFor(title)
    await this.confirm()
    await this.done('Bought').waitFor()
  }
}
