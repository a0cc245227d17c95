// Web push of this browser: permission and subscription.
import { registerWorker, worker } from '#src/lib/service-worker.ts'

/**
 * Result of a subscription. `denied`: the user or the browser refuses notifications. `timeout`: the push service of the
 * browser did not respond.
 */
export type Subscribed =
  | { readonly result: 'subscribed'; readonly endpoint: string; readonly p256dh: string; readonly auth: string }
  | { readonly result: 'denied' | 'failed' | 'timeout' }

/** Returns whether this browser can show notifications of a closed page. iPhones need the page on the Home screen. */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

/** A browser without a push service never settles the subscription, milliseconds. */
const timeoutMs = 30_000

/**
 * Requests the permission, registers the worker and subscribes.
 * @param key applicationServerKey of the service, base64url (RFC 8292)
 */
export async function subscribe(key: string): Promise<Subscribed> {
  if ((await Notification.requestPermission()) !== 'granted') return { result: 'denied' }
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Subscribed>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, { result: 'timeout' })
  })
  try {
    return await Promise.race([subscribeAt(key), late])
  } catch {
    // Browsers without a push service, for example Chromium without Google's, and networks that block it.
    return { result: 'failed' }
  } finally {
    clearTimeout(timer)
  }
}

async function subscribeAt(key: string): Promise<Subscribed> {
  const { pushManager } = await registerWorker()
  const known = await pushManager.getSubscription()
  // Browsers reject another key while a subscription exists. The service has a new key after its secret was replaced.
  if (known && !isKeyOf(known, key)) await known.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint, keys } = subscription.toJSON()
  if (!endpoint || !keys?.['p256dh'] || !keys['auth']) return { result: 'failed' }
  return { result: 'subscribed', endpoint, p256dh: keys['p256dh'], auth: keys['auth'] }
}

/** Ends the subscription of this browser, if it has one. The service removes it when the push service refuses the next message. */
export async function unsubscribe(): Promise<void> {
  if (!canPush()) return
  try {
    const registration = await navigator.serviceWorker.getRegistration(worker)
    const subscription = await registration?.pushManager.getSubscription()
    await subscription?.unsubscribe()
  } catch {
    // Browsers without a push service.
  }
}

function isKeyOf({ options: { applicationServerKey: bytes } }: PushSubscription, key: string): boolean {
  const text = bytes ? btoa(String.fromCharCode(...new Uint8Array(bytes))) : ''
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === key
}
