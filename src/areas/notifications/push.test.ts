// Subscription of a browser to web push, against browsers that differ in their push service.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { subscribe, unsubscribe } from './push.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const never = new Promise<never>(() => {})
const subscription = (key: string) => ({
  options: { applicationServerKey: Uint8Array.from(atob(key), (sign) => sign.charCodeAt(0)).buffer },
  unsubscribe: vi.fn<() => Promise<boolean>>(() => Promise.resolve(true)),
  toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }),
})

/** Stands in for a browser with a push service. */
function browserWith(pushManager: object) {
  const serviceWorker = { register: () => Promise.resolve(), ready: Promise.resolve({ pushManager }) }
  vi.stubGlobal('navigator', { serviceWorker })
  vi.stubGlobal('Notification', { requestPermission: () => Promise.resolve('granted') })
}

test('ends a subscription that the push service leaves pending after 30 seconds', async () => {
  browserWith({ getSubscription: () => Promise.resolve(null), subscribe: () => never })
  const outcome = vi.fn<(result: unknown) => void>()
  void subscribe('AAAA').then(outcome)
  await vi.advanceTimersByTimeAsync(29_999)
  expect(outcome).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(outcome).toHaveBeenCalledWith({ result: 'timeout' })
})

test.each([
  ['another key of the service', 'BBBB', 1],
  ['the same key', 'AAAA', 0],
])('subscribes a browser that has a subscription with %s', async (_, key, ended) => {
  const known = subscription(key)
  browserWith({ getSubscription: () => Promise.resolve(known), subscribe: () => Promise.resolve(subscription('AAAA')) })
  expect(await subscribe('AAAA')).toMatchObject({ result: 'subscribed', endpoint: 'https://push.example/1' })
  expect(known.unsubscribe).toHaveBeenCalledTimes(ended)
  expect(vi.getTimerCount()).toBe(0)
})

test('ends the subscription of the browser', async () => {
  const known = subscription('AAAA')
  const registration = { pushManager: { getSubscription: () => Promise.resolve(known) } }
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: () => Promise.resolve(registration) } })
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', class {})
  await unsubscribe()
  expect(known.unsubscribe).toHaveBeenCalledOnce()
})
