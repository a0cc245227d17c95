// The key of a purchase. Asked for again after an answer was lost it is the same one, so that nothing is bought twice.

let last: { readonly request: string; readonly key: string } | null = null

/** The key of a request: the same until it has succeeded or another request comes in between. */
export function purchaseKey(request: string): string {
  if (last?.request !== request) last = { request, key: randomKey() }
  return last.key
}

/** After a success: the same request again is another purchase. */
export function forgetPurchaseKey(): void {
  last = null
}

// Not randomUUID: that is missing where the dashboard is served over plain HTTP.
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
