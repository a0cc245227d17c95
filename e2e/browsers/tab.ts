// One interface over the clients of the browsers, so that a journey is written once.
import { expect } from '@playwright/test'

/** An element that a client has found, used by real events of keyboard and pointer. */
export interface Found {
  readonly click: () => Promise<unknown>
  /** Replaces the text of a field. */
  readonly type: (text: string) => Promise<unknown>
}

/** A tab in the terms of its client. */
export interface ClientTab {
  readonly goto: (address: string) => Promise<unknown>
  readonly reload: () => Promise<unknown>
  readonly url: () => Promise<string>
  /** Returns the visible text of the document. */
  readonly text: () => Promise<string>
  /** Runs a function in the page and returns its result. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
  readonly find: (what: Sought) => Promise<Found | undefined>
  /** Saves a picture of the tab. */
  readonly picture: (file: string) => Promise<unknown>
}

export interface Browser {
  readonly newTab: () => Promise<ClientTab>
  readonly close: () => Promise<unknown>
}

export interface Sought {
  readonly kind: 'button' | 'link' | 'field'
  /** Accessible name, complete. */
  readonly name: string
}

/** Runs in the page: returns the visible, enabled element with a name, inside the open dialog where there is one. */
export function elementOf({ kind, name }: Sought): Element | null {
  const selectors = { button: 'button, [role=button]', link: 'a[href]', field: 'input, select, textarea' }
  const plain = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim()
  const namesOf = (element: Element): string[] => [
    plain(element.getAttribute('aria-label')),
    ...(kind === 'field'
      ? [...((element as HTMLInputElement).labels ?? [])].map((label) => plain(label.textContent))
      : [plain(element.textContent)]),
  ]
  const within = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
  const found = [...within.querySelectorAll(selectors[kind])].find(
    (element) =>
      namesOf(element).includes(name) &&
      element.checkVisibility({ checkVisibilityCSS: true }) &&
      !element.matches(':disabled, [aria-disabled=true], [aria-hidden=true] *'),
  )
  return found ?? null
}

/** Runs in the page. */
async function areFilesKept(): Promise<boolean> {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  const files = ['/', ...loaded.filter((path) => path.startsWith('/assets/'))]
  const found = await Promise.all(files.map((file) => caches.match(file, { ignoreVary: true })))
  return found.every((file) => file !== undefined)
}

/** A tab with waits: each step lasts until the page allows it. */
export class Tab {
  readonly #tab: ClientTab
  readonly #origin: string
  constructor(tab: ClientTab, origin: string) {
    this.#tab = tab
    this.#origin = origin
  }

  async goto(path: string): Promise<void> {
    await this.#tab.goto(this.#origin + path)
  }
  async reload(): Promise<void> {
    await this.#tab.reload()
  }
  async picture(file: string): Promise<void> {
    await this.#tab.picture(file)
  }

  /** Presses a button or follows a link. */
  async click(kind: 'button' | 'link', name: string): Promise<void> {
    await this.#use({ kind, name }, (found) => found.click())
  }
  async fill(name: string, text: string): Promise<void> {
    await this.#use({ kind: 'field', name }, (found) => found.type(text))
  }
  /** Waits for a text that a person can see. */
  async shows(text: string | RegExp): Promise<void> {
    await expect.poll(() => this.#text(), this.#patience(`text ${text}`)).toMatch(pattern(text))
  }
  async hides(text: string | RegExp): Promise<void> {
    await expect.poll(() => this.#text(), this.#patience(`no text ${text}`)).not.toMatch(pattern(text))
  }
  /** Waits for an address. */
  async isAt(path: RegExp): Promise<void> {
    const where = async (): Promise<string> => new URL(await this.#tab.url()).pathname
    await expect.poll(where, this.#patience('the address')).toMatch(path)
  }

  /** Waits until the service worker keeps the files of this page. */
  async keepsItsFiles(): Promise<void> {
    await expect.poll(() => this.#tab.run(areFilesKept), this.#patience('files of the service worker')).toBe(true)
  }

  // A document that is being replaced has no text yet, and each client says so in its own way.
  #text(): Promise<string> {
    return this.#tab.text().catch((error: unknown) => `(${String(error)})`)
  }
  #patience(message: string) {
    return { message, timeout: 60_000 }
  }
  /** React may replace an element between its search and its use: both are repeated then. */
  async #use(what: Sought, act: (found: Found) => Promise<unknown>): Promise<void> {
    const attempt = async (): Promise<string> => {
      const found = await this.#tab.find(what).catch(() => undefined)
      if (!found) return `absent among: ${await this.#text()}`
      return act(found).then(
        () => 'done',
        (error: unknown) => String(error),
      )
    }
    await expect.poll(attempt, this.#patience(`${what.kind} "${what.name}"`)).toBe('done')
  }
}

const pattern = (text: string | RegExp): RegExp =>
  typeof text === 'string' ? new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)) : text
