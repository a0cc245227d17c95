// Functions that run in the pages of the chat figures.

declare global {
  /** Times from sending to painting since the last call, and the longest task, in milliseconds. */
  var takePainted: () => { readonly times: number[]; readonly longest: number }
}

/** Records when texts `sent-<time>-…` are painted, and tasks above 50 ms. */
export function watchPaint(): void {
  const sentAt = /^sent-(\d+)-/
  const known = new Set<string>()
  let times: number[] = []
  let longest = 0
  globalThis.takePainted = () => {
    const taken = { times, longest }
    ;[times, longest] = [[], 0]
    return taken
  }
  const texts = (node: Node): string[] =>
    node instanceof Element
      ? [...node.querySelectorAll('bdi')].map(({ textContent }) => textContent ?? '')
      : [node.textContent ?? '']
  new MutationObserver((records) => {
    const fresh = records
      .flatMap(({ addedNodes, target, type }) => (type === 'characterData' ? [target] : [...addedNodes]))
      .flatMap(texts)
      .filter((text) => sentAt.test(text) && !known.has(text))
    if (fresh.length === 0) return
    for (const text of fresh) known.add(text)
    requestAnimationFrame(() => {
      const now = Date.now()
      for (const text of fresh) times.push(now - Number(sentAt.exec(text)?.[1]))
    })
  }).observe(document, { subtree: true, childList: true, characterData: true })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  }).observe({ type: 'longtask' })
}

/** Fills a plain list of 200 rows at the rate of the flood: the floor of any list on this machine. */
export async function plainList(flood: { readonly perSecond: number; readonly seconds: number }): Promise<void> {
  const rows = 200
  const everyMs = 100
  const list = document.createElement('ul')
  list.style.cssText = 'height: 600px; overflow-y: scroll'
  document.body.append(list)
  for (let turn = 0; turn < (flood.seconds * 1_000) / everyMs; turn++) {
    for (let one = 0; one < (flood.perSecond * everyMs) / 1_000; one++) {
      const row = document.createElement('li')
      for (const text of ['10:00', 'Bob', `some words of a viewer number ${one} of turn ${turn}`]) {
        const part = document.createElement('span')
        part.textContent = text
        row.append(part)
      }
      list.append(row)
    }
    while (list.childElementCount > rows) list.firstElementChild?.remove()
    list.scrollTop = list.scrollHeight
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
