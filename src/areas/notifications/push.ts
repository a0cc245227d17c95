// Web push of this browser: permission, service worker, subscription.

/** Result of a subscription. `denied`: the user or the browser refuses notifications. */
export type Subscribed =
  | { readonly result: 'subscribed'; readonly endpoint: string; readonly p256dh: string; readonly auth: string }
  | { readonly result: 'denied' | 'failed' }

/** Path of the service worker, at the root so that its scope is the whole dashboard. */
const worker = '/worker.js'

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

/** Returns whether this browser can show notifications of a closed page. iPhones need the page on the Home screen. */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

/**
 * Requests the permission, registers the worker and subscribes.
 * @param key applicationServerKey of the service, base64url (RFC 8292)
 */
export async function subscribe(key: string): Promise<Subscribed> {
  if ((await Notification.requestPermission()) !== 'granted') return { result: 'denied' }
  try {
    const { pushManager } = await ready()
    const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
    const { endpoint, keys } = subscription.toJSON()
    if (!endpoint || !keys?.['p256dh'] || !keys['auth']) return { result: 'failed' }
    return { result: 'subscribed', endpoint, p256dh: keys['p256dh'], auth: keys['auth'] }
  } catch {
    // Browsers without a push service, for example Chromium without Google's, and networks that block it.
    return { result: 'failed' }
  }
}

async function ready(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(trustedWorker())
  return navigator.serviceWorker.ready
}
