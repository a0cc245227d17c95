// Parts of the browser that jsdom lacks and pages need. Layout, painting and the top layer stay untested here: e2e/
// covers them.

const noop = () => undefined

class Observer {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** Reports every observed element as visible: there is no layout. */
class VisibleObserver extends Observer {
  readonly #notify: (entries: readonly object[]) => void
  constructor(notify: (entries: readonly object[]) => void) {
    super()
    this.#notify = notify
  }
  override observe(): void {
    queueMicrotask(() => this.#notify([{ isIntersecting: true }]))
  }
}

/** Fires a cancelable `cancel` on Escape, as a modal dialog does. */
function cancelOnEscape(event: KeyboardEvent): void {
  const dialog = [...document.querySelectorAll('dialog')].findLast(({ open }) => open)
  if (event.key !== 'Escape' || !dialog || event.defaultPrevented) return
  if (dialog.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close()
}

const dialogMethods = {
  showModal(this: HTMLDialogElement) {
    this.open = true
    this.querySelector<HTMLElement>('[autofocus], input, select, textarea, button')?.focus()
  },
  close(this: HTMLDialogElement) {
    if (!this.open) return
    this.open = false
    setTimeout(() => this.dispatchEvent(new Event('close')))
  },
}

/** Reads a Blob of Node, which the FileReader of jsdom refuses. */
class BlobReader extends EventTarget {
  result: string | null = null
  onload: (() => void) | null = null
  abort(): void {}
  readAsText(blob: Blob): void {
    void blob.text().then((text) => this.#finish(text))
  }
  readAsDataURL(blob: Blob): void {
    void blob.arrayBuffer().then((bytes) => {
      this.#finish(`data:${blob.type};base64,${btoa(String.fromCodePoint(...new Uint8Array(bytes)))}`)
    })
  }
  #finish(result: string): void {
    this.result = result
    this.dispatchEvent(new Event('load'))
    this.onload?.()
  }
}

/** Accepts every drawing command of a canvas and draws nothing. */
const drawing = new Proxy(
  {},
  { get: (_, name) => (name === 'measureText' ? () => ({ width: 0 }) : noop), set: () => true },
)

const openPopovers = new WeakSet<HTMLElement>()

function toggle(popover: HTMLElement, isOpen: boolean): void {
  if (openPopovers.has(popover) === isOpen) return
  openPopovers[isOpen ? 'add' : 'delete'](popover)
  // jsdom hides a closed popover by its own stylesheet.
  popover.style.display = isOpen ? 'block' : ''
  setTimeout(() => popover.dispatchEvent(Object.assign(new Event('toggle'), { newState: isOpen ? 'open' : 'closed' })))
}

/** Opens and closes the popover that a button names. */
function pressPopoverButton({ target }: MouseEvent): void {
  const id = target instanceof Element ? target.closest('[popovertarget]')?.getAttribute('popovertarget') : undefined
  const popover = id ? document.getElementById(id) : null
  if (popover) toggle(popover, !openPopovers.has(popover))
}

const { prototype } = HTMLElement
Object.assign(HTMLDialogElement.prototype, dialogMethods)
Object.assign(HTMLCanvasElement.prototype, { getContext: () => drawing })
Object.assign(prototype, {
  showPopover(this: HTMLElement) {
    toggle(this, true)
  },
  hidePopover(this: HTMLElement) {
    toggle(this, false)
  },
  togglePopover(this: HTMLElement) {
    toggle(this, !openPopovers.has(this))
  },
  scrollIntoView: noop,
  scrollTo: noop,
})
Object.assign(globalThis, {
  IntersectionObserver: VisibleObserver,
  ResizeObserver: Observer,
  FileReader: BlobReader,
  Path2D: class {
    constructor() {
      return drawing
    }
  },
  matchMedia: (media: string) => Object.assign(new EventTarget(), { media, matches: false }),
  scrollTo: noop,
})
// There is no layout: a list that draws only the rows in view is high enough for those of a test.
Object.defineProperty(prototype, 'clientHeight', {
  configurable: true,
  get(this: HTMLElement) {
    return this.getAttribute('role') === 'log' ? 600 : 0
  },
})
document.addEventListener('click', pressPopoverButton)
document.addEventListener('keydown', cancelOnEscape)
