/** Page number from the URL, starting at 1; 1 for an invalid value. */
export function pageOf(params: URLSearchParams): number {
  const page = Number(params.get('page'))
  return Number.isSafeInteger(page) && page > 0 && page <= 10_000 ? page : 1
}
