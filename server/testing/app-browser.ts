// Browser of a person that connects an app: cookies, redirects, forms. It runs no script.

/** A page, or the address of another origin to which a redirect leads. */
export interface Shown {
  readonly status: number
  readonly url: URL
  readonly text: string
  readonly headers: Headers
}

/** Opens a browser at a service. @param base its address */
export function openBrowser(base: string) {
  const jar = new Map<string, { readonly value: string; readonly path: string }>()

  async function load(address: string | URL, init: RequestInit = {}): Promise<Shown> {
    let url = new URL(address, base)
    let request = init
    for (let step = 0; step < 12; step++) {
      if (url.origin !== new URL(base).origin) return { status: 0, url, text: '', headers: new Headers() }
      const cookie = [...jar]
        .filter(([, { path }]) => url.pathname.startsWith(path))
        .map(([name, { value }]) => `${name}=${value}`)
        .join('; ')
      const answer = await fetch(url, {
        ...request,
        redirect: 'manual',
        headers: { ...(request.headers as Record<string, string>), cookie },
      })
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const at = pair.indexOf('=')
        jar.set(pair.slice(0, at), {
          value: pair.slice(at + 1),
          path: /; path=(?<path>[^;]+)/i.exec(line)?.groups?.['path'] ?? '/',
        })
      }
      const location = answer.headers.get('location')
      if (location === null) return { status: answer.status, url, text: await answer.text(), headers: answer.headers }
      url = new URL(location, url)
      request = {}
    }
    throw new Error(`Too many redirects to ${url.href}`)
  }

  /** Sends the form of a page with its hidden fields. */
  function submit(
    page: Shown,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const body = new URLSearchParams()
    for (const [tag] of page.text.matchAll(/<input[^>]*type="hidden"[^>]*>/g))
      body.set(
        /name="(?<name>[^"]*)"/.exec(tag)?.groups?.['name'] ?? '',
        /value="(?<value>[^"]*)"/.exec(tag)?.groups?.['value'] ?? '',
      )
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    const action = /<form[^>]*action="(?<action>[^"]*)"/.exec(page.text)?.groups?.['action'] ?? page.url.href
    return load(new URL(action.replaceAll('&amp;', '&'), page.url), {
      method: 'POST',
      body: body.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  }

  return { load, submit }
}
