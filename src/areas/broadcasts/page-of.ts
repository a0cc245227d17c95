/** The page of a list that an address means, from 1; what makes no sense is the first one. */
export function pageOf(params: URLSearchParams): number {
  const page = Number(params.get('page'))
  return Number.isSafeInteger(page) && page > 0 && page <= 10_000 ? page : 1
}
