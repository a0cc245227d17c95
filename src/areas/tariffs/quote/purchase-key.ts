// Idempotency key of a purchase. A retry after a lost response reuses the key, so that nothing is bought twice.

let last: { readonly request: string; readonly key: string } | null = null

/** Returns the key of a request: stable until the request succeeds or another request comes in between. */
export function purchaseKey(request: string): string {
  if (last?.request !== request) last = { request, key: randomKey() }
  return last.key
}

/** Call after a success: repeating the request is a new purchase. */
export function forgetPurchaseKey(): void {
  last = null
}

// `randomUUID` is unavailable when the dashboard is served over plain HTTP.
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
