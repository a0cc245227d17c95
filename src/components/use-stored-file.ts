import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sessionOf } from '#src/api/query-client.ts'
import { apiRuntime } from '#src/api/runtime.ts'
import { saveFrom } from '#src/lib/download.ts'

interface StoredFile {
  readonly url: string
  readonly name: string
}

/**
 * Address of a stored file, and its download.
 * @param request calls the operation that returns the address. It is not a query: the address contains a ticket and must not stay in a cache
 */
export function useStoredFile(request: (options: { readonly sessionId: string | null }) => Promise<StoredFile>) {
  const queries = useQueryClient()
  const find = async (): Promise<StoredFile> => {
    const { url, name } = await request({ sessionId: sessionOf(queries) })
    return { url: new URL(url, apiRuntime().baseUrl || location.origin).href, name }
  }
  return { find, fetching: useMutation({ mutationFn: find, onSuccess: ({ url, name }) => saveFrom(url, name) }) }
}
