// Pages of a list in URL parameters.

/** Page number from the URL, starting at 1; 1 for an invalid value. */
export function pageOf(params: URLSearchParams): number {
  const page = Number(params.get('page'))
  return Number.isSafeInteger(page) && page > 0 && page <= 10_000 ? page : 1
}

/** Rows of a page, as input of an operation. */
export const windowOf = (page: number, size: number) => ({ limit: size, offset: (page - 1) * size })

/** A view as URL parameters, without empty values and page 1. */
export function paramsOf({ page = 1, ...rest }: Readonly<Record<string, string | number>> & { page?: number }) {
  const values = Object.entries({ ...rest, page: page > 1 ? page : '' })
  return new URLSearchParams(values.filter(([, value]) => value !== '').map(([name, value]) => [name, String(value)]))
}

/**
 * Returns the parameters of the URL, for a change of them. The router renders parameters later than it writes them: of two quick
 * changes to rendered ones the second would undo the first.
 */
export const writtenParams = (): URLSearchParams => new URLSearchParams(location.search)
