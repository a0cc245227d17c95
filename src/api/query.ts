// Queries and mutations made from operations. No hook per endpoint: `useQuery(q(op, input))`, `useWrite(op)`.
import { queryOptions, useMutation, useQueryClient, type UseMutationOptions } from '@tanstack/react-query'
import type { Input, Output, ReadOperation, WriteOperation } from '#contract/core/operation.ts'
import { call } from './call.ts'
import { withFreshSignIn } from './fresh-sign-in.ts'
import { makeStale } from './make-stale.ts'
import { sessionOf } from './query-client.ts'
import { apiRuntime } from './runtime.ts'

/**
 * Key of a read: the parts of its id, its input, the language of the response. Prefixes are `[area]`, `[area, group]`,
 * …
 */
export const keyOf = <O extends ReadOperation>({ id }: O, input: Input<O>) => [
  ...id.split('.'),
  input,
  apiRuntime().language(),
]

/**
 * The query of a read. A write is a type error, even when its HTTP method is GET.
 * @example useQuery(q(restream.slots, { project_id }))
 * @example queryClient.ensureQueryData(q(projects.list, {}))
 */
export function q<O extends ReadOperation>(op: O, input: Input<O>) {
  return queryOptions<Output<O>>({
    queryKey: keyOf(op, input),
    queryFn: ({ signal, client }) => call(op, input, { signal, sessionId: sessionOf(client) }),
  })
}

/** A write is never paused: it would be sent later, unnoticed, perhaps after another user has signed in. */
type Fixed = 'mutationFn' | 'mutationKey' | 'networkMode' | 'retry' | 'scope'

/**
 * The mutation of a write, sent under the session of its cache only. Afterwards the data that it makes stale is refetched.
 * @example const buy = useWrite(restream.buy); buy.mutate({ project_id, period: 'month', plan_restream_id })
 */
export function useWrite<O extends WriteOperation>(
  op: O,
  options: Omit<UseMutationOptions<Output<O>, Error, Input<O>>, Fixed> = {},
) {
  const queries = useQueryClient()
  return useMutation<Output<O>, Error, Input<O>>({
    ...options,
    mutationKey: op.id.split('.'),
    mutationFn: (input) => withFreshSignIn(() => call(op, input, { sessionId: sessionOf(queries) })),
    onSuccess: async (...args) => {
      // Not awaited: the button is enabled as soon as the write is done, fresh data follows.
      for (const prefix of op.stale) makeStale(queries, { queryKey: prefix.split('.') })
      await options.onSuccess?.(...args)
    },
  })
}
