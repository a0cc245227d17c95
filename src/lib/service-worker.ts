// Registration of `public/worker.js`, which keeps the files of the dashboard and shows messages of web push.

/** Path of the worker, at the root so that its scope is the whole dashboard. */
export const worker = '/worker.js'

interface TrustedTypes {
  createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ) => { readonly createScriptURL: (url: string) => string }
}

let trusted: string | undefined

/**
 * Returns the address of the worker as the Content-Security-Policy of the dashboard requires it: by the only policy of Trusted
 * Types that it allows, which passes this address alone.
 */
function trustedWorker(): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  const rules = { createScriptURL: () => worker }
  trusted ??= trustedTypes ? trustedTypes.createPolicy('relaydeck-worker', rules).createScriptURL(worker) : worker
  return trusted
}

/** Registers the worker. Resolves when it is active. */
export async function registerWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(trustedWorker())
  return navigator.serviceWorker.ready
}

/** Registers the worker, and has it keep the files that this page loaded before. Does nothing where browsers refuse it. */
export async function keepFiles(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    const { active } = await registerWorker()
    const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
    const files = loaded.filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'))
    active?.postMessage({ keep: files.map(({ pathname }) => pathname) })
  } catch {
    // Private windows and blocked storage: the dashboard works, but does not open without network.
  }
}
